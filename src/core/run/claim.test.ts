import { describe, expect, test } from 'vitest';
import { names, plannedTask, play, returned, yes } from './test-rig.ts';

describe('an answer that says what it left undone (R-VER-10)', () => {
  const undone = { ...yes, undone: 'the Windows build' };

  test('is rejected with those words, which the next attempt gets', () => {
    const { state, effects } = play([plannedTask('1.1'), plannedTask('1.2')], {}, returned('1.1', 1, undone));
    expect(names(effects)).toEqual(['set-aside 1.1']);
    expect(state.progress.get('1.1')).toMatchObject({
      failure: { layer: 'signal', text: 'INCOMPLETE: the Windows build' },
    });
  });

  test('may split its task, but not ask for a follow-up in its place', () => {
    const asks = (type: 'SPLIT_TASK' | 'ADD_FOLLOWUP') =>
      play(
        [plannedTask('1.1'), plannedTask('1.2')],
        {},
        returned('1.1', 1, {
          ...undone,
          request: { type, originalTaskId: '1.1', reasoning: '', proposedTasks: [] },
        }),
      ).effects;
    expect(names(asks('SPLIT_TASK'))).toEqual(['modify 1.1']);
    expect(names(asks('ADD_FOLLOWUP'))).toEqual(['set-aside 1.1']);
  });
});
