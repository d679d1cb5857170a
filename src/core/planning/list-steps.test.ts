import { expect, test } from 'vitest';
import { listSteps, type StepsAsked } from './list-steps.ts';
import { stepId } from './step-plan.ts';
import { DOCUMENTS } from './steps.ts';

const ASKED: StepsAsked = { spec: 'login', needed: DOCUMENTS, there: ['research'], gates: 'each' };

/** The steps in short: `(research)` is kept, `tasks!` is approved by a person next. */
function listed(more: Partial<StepsAsked>): string {
  return listSteps({ ...ASKED, ...more })
    .map(({ step, isDone }) => (isDone ? `(${stepId(step)})` : `${stepId(step)}${step.gate ? '!' : ''}`))
    .join(' ');
}

test.each([
  [{ from: 'requirements' }, '(research) requirements!'],
  [{ from: 'requirements', gates: 'final' }, '(research) requirements design tasks!'],
  [{ from: 'requirements', gates: 'none' }, '(research) requirements design tasks'],
  [{ from: 'requirements', gates: 'none', only: true }, '(research) requirements'],
  [{ from: 'requirements', gates: 'final', only: true }, '(research) requirements'],
  [{ from: 'design', there: ['requirements', 'tasks'], needed: ['tasks'] }, '(requirements) design!'],
  [{ from: 'tasks', there: DOCUMENTS, gates: 'final' }, '(research) (requirements) (design) tasks!'],
  [{ from: 'requirements', gates: 'final', current: ['design'] }, '(research) requirements (design) tasks!'],
  [
    { from: 'requirements', gates: 'none', current: ['requirements', 'tasks'] },
    '(research) requirements design (tasks)',
  ],
  [{ gates: 'final' }, '(research) requirements design tasks!'],
  [{ from: 'research', topics: ['code', 'outside'] }, 'research:code research:outside research!'],
  [{ from: 'research', topics: ['code', 'outside'], parts: ['code'] }, '(research:code) research:outside research!'],
  [{ topics: ['code', 'outside'], gates: 'none', needed: ['research', 'tasks'] }, '(research) tasks'],
  [{ gates: 'none', needed: ['research', 'tasks'] }, '(research) tasks'],
] as const)('%o lists %s: a run goes from one decision of a person to the next (R-GATE-6, R-PLAN-2)', (more, steps) => {
  expect(listed(more)).toBe(steps);
});
