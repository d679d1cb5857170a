import type { Plan, Task } from '../../core/plan/data/task.ts';
import type { PlanFormat } from '../../core/plan/format.ts';
import { readPlanText } from './plan-text.ts';

/** The plan as the coordinator last wrote or accepted it: what an agent does to the file in between is measured against it (R-VER-3). */
export class TrustedPlan {
  readonly #format: PlanFormat;
  #plan: Plan;
  /** The last other text that was read. */
  #other: Plan | undefined;

  constructor(plan: Plan, format: PlanFormat) {
    this.#format = format;
    this.#plan = plan;
  }

  get plan(): Plan {
    return this.#plan;
  }

  accept(plan: Plan): void {
    this.#plan = plan;
  }

  /** The plan that a text holds; one other text is read once, as the members of a batch all begin with it. Throws `UserError`. */
  read(text: string): Plan {
    if (text === this.#plan.text) return this.#plan;
    if (text !== this.#other?.text) this.#other = readPlanText(this.#format, text);
    return this.#other;
  }

  /** The task of this key. Throws if the plan has none: keys come from this plan. */
  task(key: string): Task {
    const task = this.#plan.tasks.find((candidate) => candidate.key === key);
    if (task === undefined) throw new Error(`No task ${key} in the plan.`);
    return task;
  }
}
