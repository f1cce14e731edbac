import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { answer, answerJson, answerText } from './answer.ts';
import type { SiteOptions } from './options.ts';
import type { Pages, Shell } from './pages.ts';
import { readBody } from './read-body.ts';

const host = '127.0.0.1';

/** A part of a site, such as the shop: its pages, and what its server answers. */
export interface SitePart {
  readonly pages: Pages;
  /** The paths that the script of its pages knows. */
  readonly paths: RegExp;
  /** What its pages need to know beside what every page does. Nothing in it is secret. */
  readonly config: object;
  /** What one of its pages shows at once. */
  shell?(path: string): Promise<Shell>;
  /** One of its pages is requested. */
  visited?(siteUrl: string): void;
  /** Answers a request; undefined if it is none of this part's. */
  respond(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> | undefined;
  stop?(): Promise<void>;
}

export interface StartedSite {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a server for some parts: it serves their pages and signs people in. A path that nobody knows is the first part's. */
export async function startSite(options: SiteOptions, parts: readonly [SitePart, ...SitePart[]]): Promise<StartedSite> {
  const now = options.now ?? Date.now;
  const server = createServer((request, response) => {
    void respond(request, response).catch((error: unknown) => fail(response, error));
  });
  const port = await listen(server, options.port);
  const url = `http://${host}:${port}`;
  // Another name that leads to this address is an attack: a page of that name would be of the same origin.
  const hosts = [`${host}:${port}`, `localhost:${port}`];

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!hosts.includes(request.headers.host ?? ''))
      return answerText(response, 421, 'This server has another name.\n');
    const [path = ''] = (request.url ?? '').split('?');
    switch (`${request.method} ${path}`) {
      case 'GET /config.json':
        return answerJson(response, publicConfig());
      case 'POST /sign-in':
        return answerJson(response, signIn(await readBody(request)));
    }
    for (const part of parts) {
      const answered = part.respond(request, response, path);
      if (answered !== undefined) return answered;
    }
    return request.method === 'GET' ? read(path, response) : answerText(response, 405, 'Only GET.\n');
  }

  function publicConfig(): object {
    const { apiUrl, orgId, storefrontToken, identity } = options;
    const { fans, staff } = identity;
    const own = Object.assign({}, ...parts.map(({ config }) => config));
    return { apiUrl, orgId, storefrontToken, fans, staff, ...own, nowMs: now() };
  }

  function signIn(body: string): object {
    const { account } = JSON.parse(body) as { readonly account?: unknown };
    const { fans, staff } = options.identity;
    const known = [...fans, ...staff].find(({ id }) => id === account);
    if (known === undefined) throw new Error('There is no such account.');
    return { name: known.name, token: options.identity.signIn(known.id) };
  }

  async function read(path: string, response: ServerResponse): Promise<void> {
    const owner = parts.find(({ pages }) => path === `/${pages.name}.js`);
    if (owner !== undefined) return answer(response, 'text/javascript; charset=utf-8', await owner.pages.script());
    const part = parts.find(({ paths }) => paths.test(path));
    if (part === undefined) response.statusCode = 404;
    part?.visited?.(url);
    const { pages, shell } = part ?? parts[0];
    const { html, styleHash } = await pages.document(publicConfig(), await shell?.(path));
    response.setHeader('Content-Security-Policy', contentSecurityPolicy(options.apiUrl, styleHash));
    response.setHeader('Permissions-Policy', 'camera=(self)');
    response.setHeader('Referrer-Policy', 'no-referrer');
    answer(response, 'text/html; charset=utf-8', html);
  }

  return {
    url,
    async stop() {
      for (const part of parts) await part.stop?.();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy();
  answerText(response, 500, `${error instanceof Error ? error.message : String(error)}\n`);
}

/** The pages load nothing from elsewhere and call only the API. */
function contentSecurityPolicy(apiUrl: string, styleHash: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'sha256-${styleHash}'`,
    "img-src 'self' data:",
    `connect-src 'self' ${new URL(apiUrl).origin}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Listens on this port, or on any free one if it is taken. */
function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (port !== 0 && error.code === 'EADDRINUSE') server.listen(0, host);
      else reject(error);
    });
    server.on('listening', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('The server has no port.'));
      else resolve(address.port);
    });
    server.listen(port, host);
  });
}
