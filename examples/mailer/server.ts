import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Mailer } from './mailer.ts';
import { mailPage } from './mails-page.ts';
import type { FolderSender } from './send/folder.ts';
import type { Worker } from './worker.ts';

const host = '127.0.0.1';
const maxBytes = 1_000_000;

export interface ServerParts {
  readonly mailer: Mailer;
  readonly worker: Worker;
  /** Shown at `/mails`; undefined if mails are really sent. */
  readonly folder?: FolderSender | undefined;
  readonly topic?: (body: string) => Promise<number>;
}

/** Receives webhooks at `/webhooks`, what SES reports at `/sns`, and shows the mails of a folder at `/mails`. */
export async function startServer(port: number, { mailer, worker, folder, topic }: ServerParts) {
  const server = createServer((request, response) => {
    void respond(request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    });
  });

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = ''] = (request.url ?? '').split('?');
    if (request.method === 'GET' && folder !== undefined && isLocal(request)) return mailPage(folder, path, response);
    if (request.method === 'POST' && path === '/webhooks') {
      const { status, event } = await mailer.receive(request.headers, await readBody(request));
      if (event !== undefined) worker.wake();
      return void response.writeHead(status).end();
    }
    if (request.method === 'POST' && path === '/sns' && topic !== undefined)
      return void response.writeHead(await topic(await readBody(request))).end();
    response.writeHead(404).end();
  }

  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (port === 0 || error.code !== 'EADDRINUSE') return reject(error);
      server.once('error', reject);
      server.listen(0, host);
    });
    server.listen(port, host);
  });
  const address = server.address();
  const url = `http://${host}:${typeof address === 'object' && address !== null ? address.port : port}`;
  const hosts = [url, url.replace(host, 'localhost')].map((one) => one.replace('http://', ''));
  /** Another name that leads to this address is an attack: its page would read the mails. */
  const isLocal = ({ headers }: IncomingMessage): boolean => hosts.includes(headers.host ?? '');

  return {
    url,
    async stop(): Promise<void> {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      await worker.stop();
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error('The body is too large.');
  }
  return Buffer.concat(chunks).toString('utf8');
}
