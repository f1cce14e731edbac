import { rollback } from '../tools/releases/rollback.ts';

/** Points all aliases of a stage at the previous release: `npm run rollback -- --stage prod`. */
process.exitCode = await rollback(process.argv.slice(2), {
  print: (line) => console.log(line),
  printError: (line) => console.error(line),
});
