import { gitContract } from './git.ts';
import { memoryGitWorld } from './memory-git-world.ts';

gitContract('git in memory', memoryGitWorld);
