/** The headers and content types that a page may send to another origin without asking (https://fetch.spec.whatwg.org/#cors-safelisted-request-header). */
const simpleTypes = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];
const simpleHeaders = ['accept', 'accept-language', 'content-language'];
const simpleMethods = ['GET', 'HEAD', 'POST'];

// A test may replace the global one by a browser's.
const send = fetch;

/**
 * Sends requests as a browser does for a page of another origin: with the header Origin, and with a preflight request before each
 * that is not simple. It keeps the answers to preflight requests by URL, method and headers, and counts everything that it sends.
 */
export class BrowserClient {
  readonly sent: string[] = [];
  readonly #origin: string;
  readonly #allowed = new Set<string>();

  constructor(origin: string) {
    this.#origin = origin;
  }

  readonly fetch = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const request = new Request(url, init);
    const asked = unsafeHeaders(request);
    if (asked.length > 0 || !simpleMethods.includes(request.method)) await this.#preflight(request, asked);
    const headers = new Headers(request.headers);
    headers.set('Origin', this.#origin);
    this.sent.push(`${request.method} ${new URL(url).pathname}`);
    const response = await send(url, { ...init, headers });
    if (!this.#mayRead(response)) throw new TypeError('The page may not read the response.');
    return response;
  };

  async #preflight({ url, method }: Request, asked: readonly string[]): Promise<void> {
    const known = [url, method, ...asked].join(' ');
    if (this.#allowed.has(known)) return;
    this.sent.push(`OPTIONS ${new URL(url).pathname}`);
    const headers = {
      Origin: this.#origin,
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': asked.join(','),
    };
    const answer = await send(url, { method: 'OPTIONS', headers });
    const allowed = (answer.headers.get('Access-Control-Allow-Headers') ?? '').toLowerCase().split(', ');
    if (!this.#mayRead(answer) || !asked.every((name) => allowed.includes(name))) {
      throw new TypeError(`The preflight request does not allow ${asked.join(', ')}.`);
    }
    this.#allowed.add(known);
  }

  #mayRead({ headers }: Response): boolean {
    return ['*', this.#origin].includes(headers.get('Access-Control-Allow-Origin') ?? '');
  }
}

function unsafeHeaders({ headers }: Request): string[] {
  const type = headers.get('content-type')?.split(';')[0]?.toLowerCase() ?? simpleTypes[0] ?? '';
  return [...headers.keys()].filter((name) =>
    name === 'content-type' ? !simpleTypes.includes(type) : !simpleHeaders.includes(name),
  );
}
