import { deploy } from '../tools/rehearsal/deploy.ts';

/** `npm run deploy`, `npm run diff` and `npm run destroy`. */
process.exitCode = await deploy(process.argv.slice(2));
