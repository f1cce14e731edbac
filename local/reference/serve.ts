import type { IncomingMessage, ServerResponse } from 'node:http';
import { contentSecurityPolicy, referenceFiles } from './site.ts';

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
};

/** Serves the reference page below `/docs`. Returns false for every other path. */
export function serveReference(serverUrl: () => string, folder: string) {
  let files: ReturnType<typeof referenceFiles> | undefined;

  async function respond(name: string, response: ServerResponse): Promise<void> {
    files ??= referenceFiles(serverUrl(), folder);
    const body = (await files).get(name);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Content-Security-Policy', contentSecurityPolicy);
    if (body === undefined) return void response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not found.\n');
    const type = types[name.slice(name.lastIndexOf('.') + 1)] ?? 'text/plain';
    response.writeHead(200, { 'Content-Type': type, 'Content-Length': body.length }).end(body);
  }

  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const [path = ''] = (request.url ?? '').split('?');
    if (request.method !== 'GET' || (path !== '/docs' && !path.startsWith('/docs/'))) return false;
    if (path === '/docs') response.writeHead(308, { Location: '/docs/' }).end();
    else {
      respond(path === '/docs/' ? 'index.html' : path.slice('/docs/'.length), response).catch((error: unknown) => {
        // The next request tries again: the machine may have been offline.
        files = undefined;
        const reason = error instanceof Error ? error.message : String(error);
        response
          .writeHead(503, { 'Content-Type': 'text/plain' })
          .end(`The reference page could not be built: ${reason}\n`);
      });
    }
    return true;
  };
}
