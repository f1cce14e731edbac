import { createServer } from 'node:http2';

export interface PushDouble {
  readonly url: string;
  stop(): Promise<void>;
}

/** A token that begins like this belongs to a device that has deleted its passes. */
export const goneDevice = 'deleted';

/** A double of Apple's push service, without TLS: no phone trusts the passes of the local run, so nobody waits for its pushes. */
export async function startPushDouble(onPush: (token: string) => void): Promise<PushDouble> {
  const server = createServer((request, response) => {
    const token = decodeURIComponent(request.url.split('/').at(-1) ?? '');
    request.resume();
    request.on('end', () => {
      const isGone = token.startsWith(goneDevice);
      if (!isGone) onPush(token);
      response.writeHead(isGone ? 410 : 200).end(isGone ? '{"reason":"Unregistered"}' : '');
    });
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  // It must not keep the process of a run alive that failed to start.
  server.unref();
  return { url: `http://127.0.0.1:${port}`, stop: () => new Promise((resolve) => server.close(() => resolve())) };
}
