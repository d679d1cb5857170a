/** How often the Ralph Loop plugin may start a session again for a plan of so many tasks: a fifth of them, from 5 to 10 (R-START-9). */
export function loopIterations(totalTasks: number): number {
  return Math.max(5, Math.min(10, Math.ceil(totalTasks / 5)));
}
