import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { closeServer, listen, loopback } from '../cloud/http/listen.ts';

/** A class or an object that Google was told to replace. */
export interface GoogleChange {
  readonly kind: string;
  readonly id: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface GoogleDouble {
  readonly url: string;
  stop(): Promise<void>;
}

/** A double of Google's tokens and its Wallet API. It knows what somebody has saved, which `isSaved` decides. */
export async function startGoogleDouble(isSaved: (change: GoogleChange) => boolean): Promise<GoogleDouble> {
  const server = createServer(async (request, response) => {
    const text = (await buffer(request)).toString('utf8');
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    if (request.url === '/token')
      return answer(200, { access_token: 'local', expires_in: 3_599, token_type: 'Bearer' });
    const [, kind = '', id = ''] = /^\/walletobjects\/v1\/(\w+)\/([\w.-]+)$/.exec(request.url ?? '') ?? [];
    if (request.method !== 'PUT' || request.headers.authorization !== 'Bearer local') return answer(401, {});
    return isSaved({ kind, id, body: JSON.parse(text) }) ? answer(200, {}) : answer(404, {});
  });
  const port = await listen(server, 0);
  // It must not keep the process of a run alive that failed to start.
  server.unref();
  return { url: `http://${loopback}:${port}`, stop: () => closeServer(server) };
}
