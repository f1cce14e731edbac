import { Agent, request } from 'node:http';
import { localAccountId } from '../template/assembly.ts';
import { readBody } from './read-body.ts';

/** An error response of a service, with its AWS error code. */
export class AwsServiceError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** A client of the local cloud itself. It bypasses the proxy, because AWS does not check a function's role for its own calls. */
export interface AwsJsonClient {
  readonly endpoint: string;
  call(operation: string, input: unknown): Promise<unknown>;
  close(): void;
}

export interface AwsJsonClientOptions {
  endpoint: string;
  service: 'dynamodb' | 'sqs';
  /** The prefix of the operation's name in the AWS JSON protocol. */
  targetPrefix: string;
  region: string;
}

export function createAwsJsonClient(options: AwsJsonClientOptions): AwsJsonClient {
  const agent = new Agent({ keepAlive: true });
  let closed = false;
  const credential = `local${localAccountId}/20200101/${options.region}/${options.service}/aws4_request`;
  // Both local services read the region from this header. Neither verifies the signature.
  const { hostname: host, port } = new URL(options.endpoint);
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host, Signature=local`;

  const call = (operation: string, input: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify(input);
      const outgoing = request(
        {
          agent,
          host,
          port,
          method: 'POST',
          headers: {
            authorization,
            'content-type': 'application/x-amz-json-1.0',
            'content-length': Buffer.byteLength(body),
            'x-amz-target': `${options.targetPrefix}.${operation}`,
          },
        },
        (response) => {
          const read = readBody(response).then((body) =>
            readResponse(response.statusCode ?? 0, body?.toString('utf8') ?? ''),
          );
          read.then(resolve, reject);
        },
      );
      outgoing.once('error', (error: NodeJS.ErrnoException) => {
        // The service closed an idle connection when it was reused, so it has not received the request.
        if (!closed && outgoing.reusedSocket && error.code === 'ECONNRESET') resolve(call(operation, input));
        else reject(error);
      });
      outgoing.end(body);
    });

  return {
    endpoint: options.endpoint,
    call,
    // Also ends requests in progress, such as a long poll.
    close: () => {
      closed = true;
      agent.destroy();
    },
  };
}

function readResponse(status: number, text: string): unknown {
  const body: unknown = text === '' ? {} : JSON.parse(text);
  if (status < 300) return body;
  const type = field(body, '__type') ?? 'UnknownError';
  throw new AwsServiceError(type.split('#').at(-1) ?? type, field(body, 'message') ?? field(body, 'Message') ?? text);
}

function field(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const found: unknown = Reflect.get(value, name);
  return typeof found === 'string' ? found : undefined;
}
