import type { IncomingMessage } from 'node:http';

const maxBytes = 1_000_000;

/** The body of a request as text. A body that is too large is an error. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error('The body is too large.');
  }
  return Buffer.concat(chunks).toString('utf8');
}
