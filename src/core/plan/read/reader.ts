import type { BoxState, Plan } from '../data/task.ts';
import { looseBoxes } from './loose-boxes.ts';
import { parsePlan } from './parse.ts';

/** How plans of one dialect are read; what compares and puts back plans reads them again with it (R-PARSE-1). */
export interface PlanReader {
  /** Reads any text. */
  readonly parse: (text: string) => Plan;
  /** The boxes that are in no task and are no group, by their text. */
  readonly looseBoxes: (plan: Plan) => ReadonlyMap<string, BoxState>;
}

/** The reader of specloop's own dialect. */
export const nativeReader: PlanReader = { parse: parsePlan, looseBoxes };
