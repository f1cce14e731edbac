import { InvokeError, invoke } from '../local/run/invoke.ts';

/** Runs one function on the table of a running `npm start`: `npm run invoke -- <operation or worker> events/<file>.json`. */
try {
  const [id, file] = process.argv.slice(2);
  console.log(JSON.stringify(await invoke(id, file), null, 2));
} catch (error) {
  console.error(error instanceof InvokeError ? error.message : error);
  process.exitCode = 1;
}
