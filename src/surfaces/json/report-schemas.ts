import { z } from 'zod';

const severity = z.enum(['error', 'finding', 'warning']);
const place = z.int().min(1).describe('Counts from 1.');

const problem = z.object({
  severity,
  code: z.string().describe('Stable name of the kind; the reference of problems lists all.'),
  artifact: z.enum(['research', 'requirements', 'design', 'tasks']),
  file: z.string().describe('Path of the file; its name as it was given where a file was checked.'),
  line: place,
  column: place,
  message: z.string(),
  hint: z.string().describe('What to do about it.'),
  subject: z.string().optional().describe('The id or path that it is about.'),
});

const probed = z.object({
  task: z.object({ id: z.string(), index: z.int().min(0), title: z.string() }),
  line: place,
  command: z.string(),
  result: z.enum(['passes-already', 'not-found', 'bad-syntax', 'times-out', 'as-wanted']),
  missing: z.string().optional().describe('What is not there, where that is known.'),
  output: z.string(),
  exitCode: z.int().optional().describe('Absent where it did not exit.'),
  durationMs: z.number(),
});

/** What `validate --json` prints (R-PLAN-5, R-API-4). */
export const validateSchema = z
  .object({
    spec: z.string().optional().describe('Absent where a file was checked.'),
    dialect: z.string().nullable().describe('Style of the plan; null while there is none.'),
    problems: z.array(problem).describe('Those of the plan.'),
    documentProblems: z
      .array(problem)
      .optional()
      .describe('Those of the other documents of the spec; absent where a file was checked.'),
    probed: z.array(probed).optional().describe('With --probe: what each open Verify did before the work.'),
  })
  .meta({ title: 'specloop validate --json', description: 'The problems of a spec or a file with tasks.' });

const proof = z.object({
  run: z.string(),
  attempt: z.int().min(0).describe('From 1; 0 for a task that the lifecycle of the pull request did.'),
  command: z.string().nullable().describe('The Verify command that was run; null without one.'),
  exitCode: z.int().nullable(),
  commit: z.string(),
});

const task = z.object({
  id: z.string(),
  index: z.int().min(0),
  title: z.string(),
  does: z.enum(['work', 'check']).describe('`check` for a [VERIFY] task.'),
  done: z.boolean(),
  verify: z.object({ kind: z.enum(['command', 'prose', 'manual', 'none']), command: z.string().nullable() }),
  proof: proof.nullable().describe('Null where no run on this machine recorded the task.'),
});

const row = z.object({
  id: z.string(),
  kind: z.enum(['US', 'AC', 'FR', 'NFR']),
  title: z.string(),
  line: place,
  priority: z.string().nullable(),
  criteria: z.array(z.string()),
  design: z.array(z.string()).describe('Titles of the sections of the design that name it.'),
  tasks: z.array(task),
  covered: z.boolean(),
  proven: z.boolean(),
});

/** What `coverage --json` prints (R-TRACE-1). */
export const coverageSchema = z
  .object({
    v: z.literal(1),
    spec: z.string(),
    requirements: z.array(row),
    criteria: z.array(row),
    uncovered: z.array(z.string()).describe('Ids that no task does work for.'),
    unproven: z.array(z.string()).describe('Ids that tasks do work for, and that are not proven.'),
  })
  .meta({ title: 'specloop coverage --json', description: 'Requirements and criteria, followed to their proof.' });

/** The published JSON Schema of a report. Fields that it does not name are allowed: later versions may add some. */
export function reportJsonSchema(schema: typeof validateSchema | typeof coverageSchema): object {
  return z.toJSONSchema(schema, {
    io: 'input',
    override({ jsonSchema }) {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
}
