import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { acceptsGzip } from '../../shared/http/streamed-output.ts';
import { indexOf } from './markdown.ts';
import { contentSecurityPolicy, referenceFiles, textFiles } from './site.ts';

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
};

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Addresses that lead to a file below `/docs`. */
const elsewhere: Readonly<Record<string, string>> = { '/docs': '/docs/', '/llms-full.txt': '/docs/llms-full.txt' };

/** A person who opens the address of the API wants to read about it. A program gets the API's own answer. */
function movedTo(
  path: string,
  { headers }: IncomingMessage,
): { readonly to: string; readonly status: number } | undefined {
  const to = elsewhere[path];
  if (to !== undefined) return { to, status: 308 };
  return path === '/' && headers.accept?.includes('text/html') ? { to: '/docs/', status: 302 } : undefined;
}

/** Serves the reference page and its Markdown below `/docs`, `/llms.txt` and `/llms-full.txt`. Returns false for every other path. */
export function serveReference(serverUrl: () => string, folder: string) {
  const index = Buffer.from(indexOf('docs/'));
  let files: ReturnType<typeof referenceFiles> | undefined;
  let texts: ReturnType<typeof textFiles> | undefined;

  async function fileOf(name: string): Promise<Buffer | undefined> {
    texts ??= textFiles(serverUrl());
    if (texts.has(name)) return texts.get(name);
    files ??= referenceFiles(serverUrl(), folder);
    return (await files).get(name);
  }

  async function respond(name: string, exchange: Exchange): Promise<void> {
    send(name, await fileOf(name), exchange);
  }

  function respondOrSay(name: string, exchange: Exchange): void {
    respond(name, exchange).catch((error: unknown) => {
      // The next request tries again: the machine may have been offline.
      files = undefined;
      const reason = error instanceof Error ? error.message : String(error);
      exchange.response
        .writeHead(503, { 'Content-Type': 'text/plain' })
        .end(`The reference page could not be built: ${reason}\n`);
    });
  }

  /** The page has 6 MB, its compressed files 1 MB: it opens at once over a slow connection too. */
  const packed = new Map<Buffer, Buffer>();
  function gzipped(body: Buffer): Buffer {
    const known = packed.get(body) ?? gzipSync(body);
    packed.set(body, known);
    return known;
  }

  function send(name: string, body: Buffer | undefined, { request, response }: Exchange): void {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Content-Security-Policy', contentSecurityPolicy);
    if (body === undefined) return void response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not found.\n');
    const type = types[name.slice(name.lastIndexOf('.') + 1)] ?? 'text/plain';
    const isPacked = acceptsGzip(request.headers['accept-encoding']?.toString());
    const bytes = isPacked ? gzipped(body) : body;
    const encoding = { Vary: 'Accept-Encoding', ...(isPacked && { 'Content-Encoding': 'gzip' }) };
    response.writeHead(200, { 'Content-Type': type, 'Content-Length': bytes.length, ...encoding }).end(bytes);
  }

  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const [path = ''] = (request.url ?? '').split('?');
    const moved = movedTo(path, request);
    const isOfReference = path === '/llms.txt' || path.startsWith('/docs/') || moved !== undefined;
    if (request.method !== 'GET' || !isOfReference) return false;
    if (path === '/llms.txt') send('llms.txt', index, { request, response });
    else if (moved !== undefined) response.writeHead(moved.status, { Location: moved.to, Vary: 'Accept' }).end();
    else respondOrSay(path === '/docs/' ? 'index.html' : path.slice('/docs/'.length), { request, response });
    return true;
  };
}
