import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { dirname } from 'node:path';
import * as v from 'valibot';
import { refusal } from './failure.ts';

const LocalConnection = v.object({
  region: v.string(),
  table: v.string(),
  /** DynamoDB's address in the local run. */
  endpoint: v.pipe(v.string(), v.url()),
  accessKeyId: v.string(),
  secretAccessKey: v.string(),
});
/** How the operator's tools reach the table of the local run. */
export type LocalConnection = v.InferOutput<typeof LocalConnection>;

/** For the owner's eyes only, and never seen half-written: the file appears under its name when it is complete. */
export function writeLocalConnection(file: string, connection: LocalConnection): void {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(connection, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

/** A local run that was killed leaves its file behind, so a connection counts only while something listens there. */
export async function readLocalConnection(file: string): Promise<LocalConnection> {
  const connection = parseFile(file);
  if (connection === undefined || !(await listens(new URL(connection.endpoint)))) {
    throw refusal('not_running', 'Start Gateline first: npm start');
  }
  return connection;
}

function parseFile(file: string): LocalConnection | undefined {
  try {
    const parsed = v.safeParse(LocalConnection, JSON.parse(readFileSync(file, 'utf8')));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

function listens({ hostname, port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: hostname, port: Number(port), timeout: 2_000 });
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}
