import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { bundle } from '../../lib/bundle.ts';
import { handlerModule } from '../../shared/operations/operation.ts';
import { operations } from '../../shared/operations/registry.ts';
import { workers } from '../../shared/workers/registry.ts';
import { notRunning, readLocalConnection } from './connection-file.ts';
import { readSettings } from './settings.ts';

/** An invocation that is not possible. The message says why. */
export class InvokeError extends Error {}

const usage = `npm run invoke -- <operation or worker> events/<file>.json

Functions: ${[...operations, ...workers].map(({ id }) => id).join(', ')}`;

const Module = v.object({ handler: v.function() });

/** Runs one function in this process on the table of a running `npm start`, for a debugger or with a custom event. */
export async function invoke(id: string | undefined, file: string | undefined): Promise<unknown> {
  const operation = operations.find((entry) => entry.id === id);
  const module = operation ? handlerModule(operation) : workers.find((worker) => worker.id === id)?.module;
  if (id === undefined || file === undefined || module === undefined) throw new InvokeError(usage);
  const { localFolder } = readSettings(process.env, process.cwd());
  const connection = await readLocalConnection(join(localFolder, 'admin.json'));
  if (connection === undefined) throw new InvokeError(notRunning);
  const { region, endpoint, accessKeyId, secretAccessKey, variables } = connection;
  Object.assign(process.env, variables, {
    TZ: 'UTC',
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_ENDPOINT_URL: endpoint,
  });
  const event: unknown = JSON.parse(withDemoKey(readFileSync(file, 'utf8'), join(localFolder, 'run.json')));
  // The bundle that would be deployed, so nothing works here only because the sources are present.
  const { codeOf } = bundle([module], [fileURLToPath(new URL('../../functions', import.meta.url))]);
  const load = createRequire(import.meta.url);
  const { handler } = v.parse(Module, load(codeOf(module).file));
  return handler(event, { functionName: id, awsRequestId: 'invoke', getRemainingTimeInMillis: () => 60_000 });
}

/** The samples contain a key that ends in an ellipsis. The first demo organisation's key replaces it. */
function withDemoKey(text: string, runFile: string): string {
  const { organisations } = v.parse(RunFile, JSON.parse(readFileSync(runFile, 'utf8')));
  return text.replaceAll(/Bearer gl_test_\w+…/g, `Bearer ${organisations[0].api_key}`);
}

const RunFile = v.object({ organisations: v.tupleWithRest([v.object({ api_key: v.string() })], v.unknown()) });
