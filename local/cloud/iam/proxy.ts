import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { AwsServiceError } from '../http/aws-json-client.ts';
import { readBody } from '../http/read-body.ts';
import type { AccessRequestReader } from './access-request.ts';
import { asRecord } from './access-request.ts';
import { type Caller, type Callers, refusal } from './callers.ts';
import type { AccessRequest } from './evaluate.ts';
import { createForwarder, type Forward } from './forward.ts';

/** The response of a service in this process to a request of the AWS JSON protocol. */
export type Answer = (target: string, body: string) => { readonly status: number; readonly body: string };

/** The backend of one AWS service. */
export interface Service {
  accessRequests: AccessRequestReader;
  /** Either another server on this machine, or a function in this process. */
  upstream:
    | { forwardTo: string }
    | { answer: Answer }
    | { respond(operation: string, input: Record<string, unknown>): Promise<unknown> };
}

export interface ProxyOptions {
  callers: Callers;
  onRefusal(caller: Caller, message: string, accessRequest?: AccessRequest): void;
}

export interface Proxy {
  server: Server;
  /** By the name of the service in the credential scope of a signature. */
  serve(name: string, service: Service): void;
  close(): void;
}

/** The SDK of a function keeps connections open between invocations. Closing them would make its next call fail. */
const idleConnectionMs = 600_000;

/** The only endpoint for DynamoDB, SQS, EventBridge and Secrets Manager. It evaluates IAM, then forwards the request. */
export function createProxy({ callers, onRefusal }: ProxyOptions): Proxy {
  const services = new Map<string, Service>();
  const forward = createForwarder();

  const server = createServer({ keepAliveTimeout: idleConnectionMs }, (request, response) => {
    handle(request, response).catch((error: unknown) => sendError(response, error));
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await readBody(request)) ?? Buffer.alloc(0);
    const { accessKeyId, serviceName } = readAuthorization(request.headers.authorization);
    const caller = callers.find(accessKeyId);
    if (caller === undefined) {
      throw new AwsServiceError(
        'UnrecognizedClientException',
        'The security token included in the request is invalid.',
      );
    }
    const service = services.get(serviceName);
    if (service === undefined) {
      const message = `The local cloud does not run the service ${serviceName}`;
      onRefusal(caller, message);
      throw new AwsServiceError('UnknownOperationException', message);
    }
    const operation =
      String(request.headers['x-amz-target'] ?? '')
        .split('.')
        .at(-1) ?? '';
    const input = readInput(body);
    const refused = refusal(caller, service.accessRequests(operation, input));
    if (refused !== undefined) {
      onRefusal(caller, refused.message, refused.accessRequest);
      throw new AwsServiceError('AccessDeniedException', refused.message);
    }
    await forwardRequest(service, { request, response, body, operation, input, forward });
  }

  return {
    server,
    serve: (name, service) => {
      services.set(name, service);
    },
    close: () => forward.close(),
  };
}

interface ProxiedRequest {
  request: IncomingMessage;
  response: ServerResponse;
  body: Buffer;
  operation: string;
  input: Record<string, unknown>;
  forward: Forward;
}

async function forwardRequest({ upstream }: Service, proxied: ProxiedRequest): Promise<void> {
  if ('forwardTo' in upstream) {
    await proxied.forward.send(upstream.forwardTo, proxied.request, proxied.body, proxied.response);
    return;
  }
  if ('answer' in upstream) {
    const { status, body } = upstream.answer(String(proxied.request.headers['x-amz-target']), String(proxied.body));
    proxied.response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
    return;
  }
  const result = await upstream.respond(proxied.operation, proxied.input);
  proxied.response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(result));
}

function sendError(response: ServerResponse, error: unknown): void {
  // A failure during a forwarded response must not look like its end.
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const known = error instanceof AwsServiceError;
  const code = known ? error.code : 'InternalFailure';
  const message = error instanceof Error ? error.message : String(error);
  const body = JSON.stringify({ __type: `com.amazon.coral.service#${code}`, message });
  response.writeHead(known ? 400 : 500, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
}

/** `AWS4-HMAC-SHA256 Credential=<access key id>/<date>/<region>/<service>/aws4_request, …` */
function readAuthorization(header: string | undefined): { accessKeyId: string; serviceName: string } {
  const [, accessKeyId = '', serviceName = ''] = header?.match(/Credential=([^/]+)\/[^/]+\/[^/]+\/([^/]+)\//) ?? [];
  return { accessKeyId, serviceName };
}

function readInput(body: Buffer): Record<string, unknown> {
  try {
    return asRecord(JSON.parse(body.toString('utf8') || '{}'));
  } catch {
    throw new AwsServiceError('SerializationException', 'The request is not JSON.');
  }
}
