import {
  Agent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { pipeline } from 'node:stream/promises';

export interface Forward {
  /** Forwards a request to another server on this machine, and returns its response byte for byte. */
  send(endpoint: string, request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void>;
  close(): void;
}

/** Headers that belong to one connection and not to the message. */
const connectionHeaders = ['connection', 'keep-alive', 'transfer-encoding'];

function messageHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !connectionHeaders.includes(name)));
}

export function createForwarder(): Forward {
  const agent = new Agent({ keepAlive: true });
  let closed = false;

  function open(endpoint: string, request: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = { ...messageHeaders(request.headers), 'content-length': String(body.length) };
      const outgoing = httpRequest(endpoint, { agent, method: request.method, headers }, resolve);
      outgoing.once('error', (error: NodeJS.ErrnoException) => {
        // The server closed an idle connection when it was reused, so it has not received the request.
        if (!closed && outgoing.reusedSocket && error.code === 'ECONNRESET') resolve(open(endpoint, request, body));
        else reject(error);
      });
      outgoing.end(body);
    });
  }

  return {
    send: async (endpoint, request, body, response) => {
      const upstream = await open(endpoint, request, body);
      response.writeHead(upstream.statusCode ?? 502, messageHeaders(upstream.headers));
      await pipeline(upstream, response);
    },
    close: () => {
      closed = true;
      agent.destroy();
    },
  };
}
