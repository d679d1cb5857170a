import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import type { SessionStep } from '../../core/session/decision.ts';
import type { SubmitVerdict } from '../../core/session/verdict.ts';
import { nextSchema, submitSchema } from './schema-session.ts';

test('the outputs of next and submit are published as they are (R-SES-1, R-SES-2)', async () => {
  for (const [name, schema] of [
    ['next', nextSchema],
    ['submit', submitSchema],
  ] as const)
    await expect(`${JSON.stringify(jsonSchema(schema), null, 2)}\n`).toMatchFileSnapshot(
      `../../../schemas/${name}.schema.json`,
    );
});

test('they name the steps and verdicts that there are (R-SES-1, R-SES-2)', () => {
  expectTypeOf<z.infer<typeof nextSchema>['do']>().toEqualTypeOf<SessionStep>();
  expectTypeOf<z.infer<typeof submitSchema>['verdict']>().toEqualTypeOf<SubmitVerdict['verdict']>();
});

function jsonSchema(schema: z.ZodType): object {
  return z.toJSONSchema(schema, {
    io: 'input',
    override({ jsonSchema: found }) {
      if (found.maximum === Number.MAX_SAFE_INTEGER) delete found.maximum;
    },
  });
}
