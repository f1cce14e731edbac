import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as v from 'valibot';
import type { Cloud } from '../cloud/cloud.ts';
import { closeServer, listen, loopback } from '../cloud/http/listen.ts';
import { readBody } from '../cloud/http/read-body.ts';
import type { LocalConnection } from './connection-file.ts';

/** A century: more would leave the range of dates that the service accepts. */
const maxSeconds = 100 * 365 * 86_400;

const Move = v.object({ seconds: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxSeconds)) });
const Time = v.object({ now_ms: v.number(), ahead_ms: v.number() });
/** The time of the local run, and how far it is ahead of the machine's. */
export type RunTime = v.InferOutput<typeof Time>;

/** Serves the time of the local run to the tools. A web page that knows the port cannot move it without the token. */
export async function startControl({ clock }: Pick<Cloud, 'clock'>): Promise<{
  readonly address: NonNullable<LocalConnection['control']>;
  stop(): Promise<void>;
}> {
  const token = randomBytes(24).toString('base64url');
  const server = createServer((request, response) => void respond(request, response).catch(() => response.destroy()));

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isEqual(request.headers.authorization ?? '', `Bearer ${token}`)) return void response.writeHead(401).end();
    if (request.method === 'POST') {
      const body = await readBody(request, 1_000);
      const move = v.safeParse(Move, JSON.parse(body?.toString('utf8') ?? 'null'));
      if (!move.success) return void response.writeHead(400).end();
      clock.advance(move.output.seconds);
    }
    const time: RunTime = { now_ms: clock.now(), ahead_ms: clock.aheadMs };
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(time));
  }

  const url = `http://${loopback}:${await listen(server, 0)}/clock`;
  return { address: { url, token }, stop: () => closeServer(server) };
}

function isEqual(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

/** Reads the time of the local run and moves it forward by this many seconds first. */
export async function moveTime({ control }: LocalConnection, seconds = 0): Promise<RunTime> {
  if (control === undefined) return { now_ms: Date.now(), ahead_ms: 0 };
  const response = await fetch(control.url, {
    method: seconds === 0 ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${control.token}` },
    ...(seconds > 0 && { body: JSON.stringify({ seconds }) }),
  });
  if (!response.ok) throw new Error(`The local run answered ${response.status} to a change of its time.`);
  return v.parse(Time, await response.json());
}
