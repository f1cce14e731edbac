import { createServer } from 'node:http';

/** A receiver of one webhook. */
export async function receiveOne(): Promise<{ url: string; body: Promise<string> }> {
  const arrived = Promise.withResolvers<string>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    response.writeHead(200).end();
    arrived.resolve(Buffer.concat(chunks).toString('utf8'));
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port.');
  return { url: `http://127.0.0.1:${address.port}/`, body: arrived.promise };
}
