import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Bundle, documentOf } from './files.ts';
import { Gateline } from './gateline.ts';
import { Office } from './office.ts';
import type { ShopOptions } from './options.ts';
import { readBody } from './read-body.ts';
import { ticketLinks } from './ticket-links.ts';
import { Webhooks } from './webhooks.ts';

const host = '127.0.0.1';
/** The paths that the scripts of the pages know. */
const pagePath =
  /^\/(|events\/[\w-]+|(waiting|confirm)\/[\w-]+\/\w+|kept\/\d+|basket|checkout|payment|confirmation|memberships(\/\d+)?|my-tickets|accept|sign-in|gate|webhooks)$/;
const officePath = /^\/office(\/[\w/-]+)?$/;

/** Starts the shop's own server: it serves the pages, signs people in, receives webhooks and works for the back office. */
export async function startShop(options: ShopOptions): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const now = options.now ?? Date.now;
  const gateline = new Gateline(options.apiUrl, options.apiKey);
  const webhooks = new Webhooks(gateline, now);
  const office = new Office(options, now);
  const bundle = new Bundle();
  const server = createServer((request, response) => {
    void respond(request, response).catch((error: unknown) => fail(response, error));
  });
  const port = await listen(server, options.port);
  const url = `http://${host}:${port}`;
  // Another name that leads to this address is an attack: a page of that name would be of the same origin.
  const hosts = [`${host}:${port}`, `localhost:${port}`];

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!hosts.includes(request.headers.host ?? '')) return text(response, 421, 'This server has another name.\n');
    const [path = ''] = (request.url ?? '').split('?');
    switch (`${request.method} ${path}`) {
      case 'GET /shop.js':
      case 'GET /office.js':
        return send(
          response,
          'text/javascript; charset=utf-8',
          await bundle.file(path === '/shop.js' ? 'shop.js' : 'office.js'),
        );
      case 'GET /shop.css':
        return send(response, 'text/css; charset=utf-8', await bundle.file('shop.css'));
      case 'GET /config.json':
        return send(response, 'application/json', JSON.stringify(publicConfig()));
      case 'POST /sign-in':
        return send(response, 'application/json', JSON.stringify(signIn(await readBody(request))));
      case 'POST /ticket-links':
        return send(
          response,
          'application/json',
          JSON.stringify(await ticketLinks(gateline, options, await readBody(request))),
        );
      case 'GET /webhooks/stream':
        return webhooks.stream(request, response);
      case 'POST /webhooks':
        return webhooks.receive(request, response);
      default:
        if (/^\/office\/(session$|api\/)/.test(path)) return office.respond(request, response, path);
        return page(request.method, path, response);
    }
  }

  function publicConfig(): object {
    const { apiUrl, orgId, storefrontToken, identity, demoGateToken } = options;
    const { fans, staff } = identity;
    return { apiUrl, orgId, storefrontToken, fans, staff, demoGateToken: demoGateToken ?? null, nowMs: now() };
  }

  function signIn(body: string): object {
    const { account } = JSON.parse(body) as { readonly account?: unknown };
    const { fans, staff } = options.identity;
    const known = [...fans, ...staff].find(({ id }) => id === account);
    if (known === undefined) throw new Error('There is no such account.');
    return { name: known.name, token: options.identity.signIn(known.id) };
  }

  function page(method: string | undefined, path: string, response: ServerResponse): void {
    if (method !== 'GET') {
      text(response, 405, 'Only GET.\n');
      return;
    }
    const isOffice = officePath.test(path);
    if (!isOffice && !pagePath.test(path)) response.statusCode = 404;
    else if (!isOffice) webhooks.register(`${url}/webhooks`);
    bundle.refresh();
    response.setHeader('Content-Security-Policy', contentSecurityPolicy(options.apiUrl));
    response.setHeader('Permissions-Policy', 'camera=(self)');
    response.setHeader('Referrer-Policy', 'no-referrer');
    send(response, 'text/html; charset=utf-8', documentOf(isOffice ? 'office.js' : 'shop.js'));
  }

  return {
    url,
    async stop() {
      await webhooks.stop();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function send(response: ServerResponse, type: string, body: string | Uint8Array): void {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', type);
  response.end(body);
}

function text(response: ServerResponse, status: number, message: string): void {
  response.statusCode = status;
  send(response, 'text/plain; charset=utf-8', message);
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy();
  text(response, 500, `${error instanceof Error ? error.message : String(error)}\n`);
}

/** The pages load nothing from elsewhere and call only the API. */
function contentSecurityPolicy(apiUrl: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
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
