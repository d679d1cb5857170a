import { newMark, nodeProcesses } from '../../adapters/process/node.ts';
import { requireTemporaryFiles } from '../../adapters/process/require-temporary-files.ts';
import type { Settings } from '../../config/schema.ts';
import { UserError } from '../../core/user-error.ts';
import type { Host } from '../host.ts';
import { sandboxWorks } from '../trust/sandbox.ts';

/**
 * Programs can be started here, and what was asked for to confine them works: an agent is never run less contained than a
 * person wants (R-DEL-6, R-SEC-3). Changes nothing. Throws `UserError` and `StorageFault`.
 */
export async function requireConfinement(
  { containment, sandbox }: Settings,
  { env }: Pick<Host, 'env'>,
): Promise<void> {
  requireTemporaryFiles();
  if (containment === 'namespace') {
    const processes = nodeProcesses({ runMark: newMark(), containment });
    const probe = await processes.probe().finally(() => processes.close());
    if (!probe.works) throw new UserError(probe.problem, 'Or use --containment marker.');
  }
  if (sandbox === 'strict') {
    const probe = await sandboxWorks(env);
    if (!probe.works) throw new UserError(probe.problem, 'Or use --sandbox auto to run without one.');
  }
}
