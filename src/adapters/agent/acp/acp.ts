import { COMMAND } from '../command.ts';
export const ACP = { ...COMMAND, name: 'acp' };
