import { readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import * as v from 'valibot';
import { writePrivateFile } from './private-file.ts';

const LocalConnection = v.object({
  region: v.string(),
  table: v.string(),
  /** The address of DynamoDB and of all other AWS services in the local run. */
  endpoint: v.pipe(v.string(), v.url()),
  accessKeyId: v.string(),
  secretAccessKey: v.string(),
  /** The private key that signs API keys and gate tokens of the local run. */
  signingKey: v.string(),
  /** The address at which the time of the run is read and moved, and the token that it requires. Without it, time is the machine's. */
  control: v.optional(v.object({ url: v.pipe(v.string(), v.url()), token: v.string() })),
  /** The environment variables of the functions in the local run. */
  variables: v.record(v.string(), v.string()),
});
/** How the operator's tools connect to the local run. */
export type LocalConnection = v.InferOutput<typeof LocalConnection>;

export function writeLocalConnection(file: string, connection: LocalConnection): void {
  writePrivateFile(file, connection);
}

export const notRunning = 'Gateline is not running. Start it first: npm start';

/** A killed run leaves its file behind, so a connection is valid only while its endpoint accepts connections. */
export async function readLocalConnection(file: string): Promise<LocalConnection | undefined> {
  const connection = parseFile(file);
  return connection !== undefined && (await isListening(new URL(connection.endpoint))) ? connection : undefined;
}

function parseFile(file: string): LocalConnection | undefined {
  try {
    const parsed = v.safeParse(LocalConnection, JSON.parse(readFileSync(file, 'utf8')));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

function isListening({ hostname, port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: hostname, port: Number(port), timeout: 2_000 });
    const end = (isListening: boolean): void => {
      socket.destroy();
      resolve(isListening);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}
