import { gitContract } from './git.ts';
import { gitProgramWorld } from './git-program-world.ts';

gitContract('the git program', gitProgramWorld);
