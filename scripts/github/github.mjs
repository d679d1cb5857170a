export { BareRepository } from './bare.mjs';
export { GitHubModel } from './model.mjs';
export { play } from './play.mjs';
export { scenarios } from './scenarios.mjs';
export { serveGitHub } from './server.mjs';
