import { request } from 'node:https';

interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

/** Sends a request with its own Host header, which fetch would replace. */
export function sendToHost(url: string, { method, headers, body }: Sent): Promise<Response> {
  return new Promise((resolve, reject) => {
    // Node sends no length with DELETE by itself.
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const call = request(url, { method, headers: { ...headers, ...length } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const received = new Headers();
        for (const [name, values = []] of Object.entries(response.headersDistinct))
          for (const value of values) received.append(name, value);
        const content = chunks.length === 0 ? null : Buffer.concat(chunks);
        resolve(new Response(content, { status: response.statusCode ?? 0, headers: received }));
      });
    });
    call.on('error', reject);
    call.end(body);
  });
}
