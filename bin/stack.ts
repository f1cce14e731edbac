import { fileURLToPath } from 'node:url';
import { decodeStack } from '../tools/stack-trace/run.ts';

/** Decodes the stack trace of a log line: `npm run stack -- <release> [file]`. */
process.exitCode = await decodeStack(process.argv.slice(2), {
  root: fileURLToPath(new URL('..', import.meta.url)),
  stdin: process.stdin,
  print: (line) => console.log(line),
  printError: (line) => console.error(line),
});
