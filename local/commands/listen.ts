import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createConnection } from 'node:net';
import { parseArgs } from 'node:util';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { closeServer, listen, loopback } from '../cloud/http/listen.ts';
import { readBody } from '../cloud/http/read-body.ts';
import { CommandError, type RunningGateline } from './running.ts';

export const listenUsage = `npm run listen -- [--forward-to http://localhost:4000/hooks] [--types order.completed,member.*]

Registers a temporary webhook endpoint, prints and verifies each delivery, and removes the endpoint at Ctrl-C. With --forward-to it sends
each verified delivery on and returns your answer to the service. The forwarded request is signed again with the same secret and the time
of this machine, so that it is valid also after npm run clock has moved the time of the local run.`;

export interface ListenOptions {
  readonly forwardTo: URL | undefined;
  readonly types: readonly string[];
}

export function readListenOptions(args: string[]): ListenOptions {
  const text = { type: 'string' } as const;
  let values: { 'forward-to'?: string | undefined; types?: string | undefined };
  try {
    ({ values } = parseArgs({ args, options: { 'forward-to': text, types: text } }));
  } catch (error) {
    throw new CommandError(`${error instanceof Error ? error.message : error}\n\n${listenUsage}`);
  }
  const address = values['forward-to'];
  const forwardTo = address === undefined ? undefined : (URL.parse(address) ?? undefined);
  if (address !== undefined && !['http:', 'https:'].includes(forwardTo?.protocol ?? '')) {
    throw new CommandError(`--forward-to must be a URL such as http://localhost:4000/hooks, not ${address}.`);
  }
  return { forwardTo, types: values.types?.split(',') ?? ['*'] };
}

const Created = v.object({ webhook_endpoint_id: v.string(), secret: v.string() });
const Endpoints = v.object({
  data: v.array(v.object({ webhook_endpoint_id: v.string(), url: v.string(), description: v.nullable(v.string()) })),
});

/** The note by which a later run finds the endpoint of one that was killed. */
const description = 'npm run listen';

/** Starts the receiver and registers it. Returns the endpoint's secret and a function that removes it again. */
export async function startListening(
  running: RunningGateline,
  { forwardTo, types }: ListenOptions,
  print: (line: string) => void,
): Promise<{ readonly secret: string; stop(): Promise<void> }> {
  await removeAbandoned(running);
  let webhook: Webhook | undefined;
  const server = createServer((request, response) => {
    void receive(request, response).catch((error: unknown) => {
      print(`failed     ${String(error)}`);
      response.writeHead(500).end();
    });
  });

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await readBody(request))?.toString('utf8') ?? '';
    const id = String(request.headers['webhook-id']);
    if (webhook === undefined || !isSigned(webhook, request, body)) {
      print(`refused    ${id}  The signature is not valid.`);
      response.writeHead(400).end();
      return;
    }
    const { type } = v.parse(v.looseObject({ type: v.string() }), JSON.parse(body));
    const status = forwardTo === undefined ? 200 : await forward(webhook, forwardTo, { id, body });
    const outcome = forwardTo === undefined ? '' : ` → ${status === undefined ? 'no answer' : status}`;
    print(`verified   ${type.padEnd(25)} ${id}${outcome}  ${body}`);
    response.writeHead(status ?? 502).end();
  }

  const url = `http://${loopback}:${await listen(server, 0)}/`;
  const created = await running
    .call('POST', '/v1/webhook_endpoints', { url, types, description })
    .catch(async (error: unknown) => {
      await closeServer(server);
      throw error;
    });
  const { webhook_endpoint_id, secret } = v.parse(Created, created);
  webhook = new Webhook(secret);
  return {
    secret,
    async stop() {
      await running.call('DELETE', `/v1/webhook_endpoints/${webhook_endpoint_id}`);
      await closeServer(server);
    },
  };
}

function isSigned(webhook: Webhook, { headers }: IncomingMessage, body: string): boolean {
  try {
    webhook.verify(body, Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])));
    return true;
  } catch {
    return false;
  }
}

/** Sends the delivery on and returns the status of the answer; undefined if there is none. */
async function forward(
  webhook: Webhook,
  to: URL,
  { id, body }: { id: string; body: string },
): Promise<number | undefined> {
  const now = new Date();
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': webhook.sign(id, now, body),
  };
  try {
    return (await fetch(to, { method: 'POST', headers, body, redirect: 'manual' })).status;
  } catch {
    return undefined;
  }
}

/** Removes the endpoint of a run that was killed: nothing listens at its address any more. */
async function removeAbandoned(running: RunningGateline): Promise<void> {
  const { data } = v.parse(Endpoints, await running.call('GET', '/v1/webhook_endpoints'));
  for (const endpoint of data.filter((candidate) => candidate.description === description)) {
    if (await isListening(new URL(endpoint.url))) continue;
    await running.call('DELETE', `/v1/webhook_endpoints/${endpoint.webhook_endpoint_id}`);
  }
}

function isListening({ hostname, port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: hostname, port: Number(port) });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
