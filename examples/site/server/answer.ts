import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

export function answer(response: ServerResponse, type: string, body: string | Uint8Array): void {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', type);
  const isCompressed = body.length > 1_000 && /\bgzip\b/.test(String(response.req.headers['accept-encoding']));
  if (isCompressed) response.setHeader('Content-Encoding', 'gzip');
  response.end(isCompressed ? gzipSync(body) : body);
}

export function answerJson(response: ServerResponse, body: object): void {
  answer(response, 'application/json', JSON.stringify(body));
}

export function answerText(response: ServerResponse, status: number, message: string): void {
  response.statusCode = status;
  answer(response, 'text/plain; charset=utf-8', message);
}
