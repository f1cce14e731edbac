import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A request as it arrived, byte by byte. */
export interface Arrival {
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type Respond = (arrival: Arrival, response: ServerResponse, socket: Socket) => void;

export const respondWith =
  (status: number, text = '', headers: Record<string, string> = {}): Respond =>
  (_arrival, response) => {
    response.writeHead(status, headers).end(text);
  };
export const hang: Respond = () => {};

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly arrivals: Arrival[];
  /** The number of connections that were ever opened to it. */
  connections(): number;
  /** How it responds to the next requests. */
  respond: Respond;
  stop(): Promise<void>;
}

/** A webhook receiver on this machine that responds as a test says. */
export async function startReceiver(respond: Respond = respondWith(200)): Promise<Receiver> {
  let opened = 0;
  const arrivals: Arrival[] = [];
  const server: Server = createServer((request, response) => {
    void collect(request).then((arrival) => {
      arrivals.push(arrival);
      receiver.respond(arrival, response, request.socket);
    });
  });
  server.on('connection', () => {
    opened += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    arrivals,
    connections: () => opened,
    respond,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

async function collect(request: IncomingMessage): Promise<Arrival> {
  const atMs = Date.now();
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return {
    atMs,
    method: request.method ?? '',
    path: request.url ?? '',
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
    body: Buffer.concat(chunks).toString('utf8'),
  };
}
