import { expect, expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import type { Coverage } from '../../core/artifact/coverage.ts';
import type { ArtifactProblem } from '../../core/artifact/problem.ts';
import type { Probed } from '../../core/verify/probe.ts';
import { coverageSchema, reportJsonSchema, validateSchema } from './report-schemas.ts';

type ReadOnly<T> = T extends readonly (infer Item)[]
  ? readonly ReadOnly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: ReadOnly<T[Key]> }
    : T;

test('the schemas of reports say what the code does (R-PLAN-5, R-TRACE-1)', () => {
  expectTypeOf<readonly ArtifactProblem[]>().toExtend<ReadOnly<z.input<typeof validateSchema>['problems']>>();
  expectTypeOf<readonly Probed[]>().toExtend<NonNullable<ReadOnly<z.input<typeof validateSchema>>['probed']>>();
  expectTypeOf<Coverage>().toExtend<ReadOnly<Omit<z.input<typeof coverageSchema>, 'v' | 'spec'>>>();
});

test.each([
  ['validate', validateSchema],
  ['coverage', coverageSchema],
] as const)(
  'the schema of %s is published as it is (update with: npx vitest run src/surfaces/json -u)',
  async (name, schema) => {
    await expect(`${JSON.stringify(reportJsonSchema(schema), null, 2)}\n`).toMatchFileSnapshot(
      `../../../schemas/${name}.schema.json`,
    );
  },
);
