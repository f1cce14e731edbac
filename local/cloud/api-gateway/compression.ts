import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, gzipSync } from 'node:zlib';

/**
 * The bytes that API Gateway sends of a buffered response: compressed if the API says so for this size, the client accepts gzip by name,
 * and the function has not compressed it itself
 * (docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-receive-response-with-compressed-payload.html).
 */
export function compressed(
  bytes: Buffer,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  minimumBytes: number | undefined,
): Buffer {
  const accepts = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(
    [request.headers['accept-encoding'] ?? []].flat().join(','),
  );
  if (minimumBytes === undefined || bytes.length < minimumBytes || !accepts) return bytes;
  if (response.hasHeader('Content-Encoding')) return bytes;
  response.setHeader('Content-Encoding', 'gzip');
  return gzipSync(bytes, { level: constants.Z_BEST_SPEED });
}
