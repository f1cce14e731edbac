import { type IncomingHttpHeaders, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body, parsed; undefined if it is not JSON. */
  readonly body: unknown;
  readonly firstByteMs: number;
  readonly lastByteMs: number;
}

export interface Call {
  readonly method?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const timeoutMs = 60_000;

/** One request on a connection of its own. `fetch` cannot set the host, by which the emulator finds the API. */
export function send(url: URL, host: string | undefined, { method = 'GET', key, headers, body }: Call): Promise<Reply> {
  const startedMs = performance.now();
  const request = url.protocol === 'https:' ? tlsRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const call = request(
      url,
      {
        method,
        agent: false,
        timeout: timeoutMs,
        headers: {
          ...headers,
          ...(host !== undefined && { Host: host }),
          ...(key !== undefined && { Authorization: `Bearer ${key}` }),
        },
      },
      (response) => {
        const firstByteMs = performance.now() - startedMs;
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const lastByteMs = performance.now() - startedMs;
          const { statusCode: status = 0, headers: received } = response;
          resolve({ status, headers: received, text, body: parsed(text), firstByteMs, lastByteMs });
        });
      },
    );
    call.on('timeout', () => call.destroy(new Error(`No response within ${timeoutMs / 1000} seconds.`)));
    // After a response, an error only means that the server did not read the whole body.
    call.on('error', reject);
    call.end(body);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
