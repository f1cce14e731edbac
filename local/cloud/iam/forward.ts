import {
  Agent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { readBody } from '../http/read-body.ts';

export interface ForwardedResponse {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly bytes: Buffer;
}

export interface Forward {
  /** Forwards a request to another server on this machine, and returns its whole response. */
  fetch(endpoint: string, request: IncomingMessage, body: Buffer): Promise<ForwardedResponse>;
  /** Forwards a request to another server on this machine, and returns its response byte for byte. */
  send(endpoint: string, request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void>;
  close(): void;
}

/** Headers that belong to one connection and not to the message. */
const connectionHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length']);

function messageHeaders(headers: IncomingHttpHeaders, length: number): OutgoingHttpHeaders {
  const own: OutgoingHttpHeaders = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !connectionHeaders.has(name)) own[name] = value;
  }
  own['content-length'] = String(length);
  return own;
}

export function createForwarder(): Forward {
  const agent = new Agent({ keepAlive: true });
  // Parsing the same few addresses for every call takes longer than the evaluation of IAM.
  const addresses = new Map<string, { host: string; port: number }>();
  let closed = false;

  function addressOf(endpoint: string): { host: string; port: number } {
    const known = addresses.get(endpoint);
    if (known !== undefined) return known;
    const { hostname, port } = new URL(endpoint);
    const address = { host: hostname, port: Number(port) };
    addresses.set(endpoint, address);
    return address;
  }

  function open(endpoint: string, request: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { host, port } = addressOf(endpoint);
      const headers = messageHeaders(request.headers, body.length);
      const target = { agent, host, port, path: request.url, method: request.method, headers };
      const outgoing = httpRequest(target, resolve);
      outgoing.once('error', (error: NodeJS.ErrnoException) => {
        // The server closed an idle connection when it was reused, so it has not received the request.
        if (!closed && outgoing.reusedSocket && error.code === 'ECONNRESET') resolve(open(endpoint, request, body));
        else reject(error);
      });
      outgoing.end(body);
    });
  }

  async function fetch(endpoint: string, request: IncomingMessage, body: Buffer): Promise<ForwardedResponse> {
    const upstream = await open(endpoint, request, body);
    const bytes = (await readBody(upstream)) ?? Buffer.alloc(0);
    return { status: upstream.statusCode ?? 502, headers: messageHeaders(upstream.headers, bytes.length), bytes };
  }

  return {
    fetch,
    send: async (endpoint, request, body, response) => {
      // Responses of AWS services are small, so one write of the whole is cheaper than a stream.
      const { status, headers, bytes } = await fetch(endpoint, request, body);
      response.writeHead(status, headers);
      response.end(bytes);
    },
    close: () => {
      closed = true;
      agent.destroy();
    },
  };
}
