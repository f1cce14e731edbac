import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { type Behaviour, type ReceiverOptions, UsageError } from './options.ts';

const statuses: Readonly<Record<Exclude<Behaviour, 'hang'>, number>> = { accept: 200, fail: 500, gone: 410 };

/** Verifies and prints every webhook. Returns the receiver's URL and a function that stops it. */
export async function startReceiver(
  { secret, port, behaviour }: ReceiverOptions,
  print: (line: string) => void,
): Promise<{ readonly url: string; readonly stop: () => void }> {
  const webhook = new Webhook(secret);
  const seen = new Set<string>();
  const server = createServer((request, response) => {
    void receive(request, response).catch((error: unknown) => print(`failed     ${String(error)}`));
  });

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // The original bytes: a body that was parsed and serialized again has another signature.
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    const id = String(request.headers['webhook-id']);
    try {
      webhook.verify(body, headersOf(request));
    } catch (error) {
      print(`refused    ${id}  ${error instanceof Error ? error.message : String(error)}`);
      response.writeHead(400).end();
      return;
    }
    // The same id is the same event. It may arrive more than once and must be processed once.
    print(`${seen.has(id) ? 'repeated  ' : 'verified  '} ${id}  ${body}`);
    seen.add(id);
    if (behaviour !== 'hang') response.writeHead(statuses[behaviour]).end();
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE' ? new UsageError(`Port ${port} is already in use. Set --port to another.`) : error,
      ),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${taken}/`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
