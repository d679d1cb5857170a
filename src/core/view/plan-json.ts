import type { Plan, Task } from '../plan/data/task.ts';

/** A plan as programs are given it (R-API-4). */
export function planJson({ dialect, tasks: all, groups, problems }: Plan) {
  return { dialect, tasks: all.map(taskJson), groups: groups.map(({ id, title }) => ({ id, title })), problems };
}

function taskJson(task: Task) {
  const { index, id, title, state, checked, parallel, verify, sequential, optional, markers, files } = task;
  const { verifyKind, verifyCommand, commit, dependsOn, phase = null, fixes = null } = task;
  const flags = { checked, state, parallel, verify, sequential, optional, markers };
  const fields = { phase, files, verifyKind, verifyCommand, commit, dependsOn, fixes };
  return { index, line: task.box.line, id, title, ...flags, ...fields };
}
