export type RequestKind = 'SPLIT_TASK' | 'ADD_FOLLOWUP' | 'ADD_PREREQUISITE' | 'malformed' | 'taken' | 'unsigned';

/** The final answer of an agent that asks for a change of the plan (R-MOD-1). */
export function requestFor(kind: RequestKind, task: { readonly id: string }): string {
  if (kind === 'malformed') return 'TASK_MODIFICATION_REQUEST\n{"type": "SPLIT_TASK", \n\nTASK_COMPLETE\n';
  const type = kind === 'taken' || kind === 'unsigned' ? 'ADD_FOLLOWUP' : kind;
  const ids =
    kind === 'taken' ? [task.id] : kind === 'SPLIT_TASK' ? [`${task.id}.8`, `${task.id}.9`] : [`${task.id}.7`];
  const request = {
    type,
    originalTaskId: task.id,
    reasoning: `Task ${task.id} is more than it seems.`,
    proposedTasks: ids.map(proposed),
  };
  const signal = kind === 'ADD_PREREQUISITE' || kind === 'unsigned' ? '' : '\nTASK_COMPLETE\n';
  return `TASK_MODIFICATION_REQUEST\n\n\`\`\`json\n${JSON.stringify(request, undefined, 2)}\n\`\`\`\n${signal}`;
}

function proposed(id: string): string {
  return [
    `- [ ] ${id} Build the part ${id}`,
    '  - **Do**: build it',
    `  - **Files**: \`work/${id}.txt\``,
    '  - **Done when**: the part is there',
    `  - **Verify**: \`grep -q done work/${id}.txt\``,
    `  - **Commit**: \`feat: part ${id}\``,
  ].join('\n');
}
