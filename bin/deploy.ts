import { deploy } from '../tools/rehearsal/deploy.ts';

/** `npm run deploy` and `npm run diff`. */
process.exitCode = deploy(process.argv.slice(2));
