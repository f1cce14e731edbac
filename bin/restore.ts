import { restore } from '../tools/restore/restore.ts';

/** Restores the table of a stage: `npm run restore -- --stage prod --table gateline-prod-2`. */
process.exitCode = await restore(process.argv.slice(2), {
  print: (line) => console.log(line),
  printError: (line) => console.error(line),
});
