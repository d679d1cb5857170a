import * as z from 'zod/mini';
import type { StructuredClaim } from '../../core/agent/structured-claim.ts';

/** What an agent said by one call of a tool (R-AGT-9). */
export type ToolReport =
  | { readonly claim: StructuredClaim }
  /** Something that later tasks should know. */
  | { readonly learning: string };

const text = z.string();
const claim = z.discriminatedUnion('status', [
  z.object({ status: z.literal('complete'), summary: z.optional(text) }),
  z.object({ status: z.literal('failed'), error: text }),
  z.object({ status: z.literal('needs-input'), question: text }),
  z.object({ status: z.literal('modification-requested'), request: z.record(text, z.unknown()) }),
]);
const report = z.union([z.object({ claim }), z.object({ learning: text })]);

/** Reads one line of a channel; `undefined` for one that says nothing. */
export function readToolReport(line: string): ToolReport | undefined {
  try {
    return report.parse(JSON.parse(line)) as ToolReport;
  } catch {
    return undefined; // An agent may write into its own channel.
  }
}
