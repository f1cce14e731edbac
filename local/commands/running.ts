import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { type LocalConnection, notRunning, readLocalConnection } from '../run/connection-file.ts';

/** A command that cannot be carried out. The message says what to do. */
export class CommandError extends Error {}

const RunFile = v.object({
  url: v.string(),
  organisations: v.tupleWithRest(
    [v.object({ org_id: v.string(), name: v.string(), api_key: v.string(), publishable_key: v.string() })],
    v.unknown(),
  ),
});

/** The local run of a folder, as its first demo organisation sees it. */
export interface RunningGateline {
  readonly url: string;
  readonly orgId: string;
  readonly organisation: string;
  readonly connection: LocalConnection;
  /** The storefront token of its pages. */
  readonly publishableKey: string;
  /** Calls an operation, with the key of the organisation if none is named. An error response is an error. */
  call(method: string, path: string, body?: object, bearer?: string): Promise<Readonly<Record<string, unknown>>>;
}

export async function findRunning(localFolder: string): Promise<RunningGateline> {
  const connection = await readLocalConnection(join(localFolder, 'admin.json'));
  if (connection === undefined) throw new CommandError(notRunning);
  const run = v.parse(RunFile, JSON.parse(readFileSync(join(localFolder, 'run.json'), 'utf8')));
  const { org_id, name, api_key, publishable_key } = run.organisations[0];
  return {
    url: run.url,
    orgId: org_id,
    organisation: name,
    connection,
    publishableKey: publishable_key,
    async call(method, path, body, bearer = api_key) {
      const response = await fetch(`${run.url}${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${bearer}`,
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new CommandError(`${method} ${path} was answered with ${response.status}: ${text}`);
      return v.parse(v.record(v.string(), v.unknown()), JSON.parse(text));
    },
  };
}
