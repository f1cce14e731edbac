/** An answer of the API, whatever its status. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | null;
}

/** Calls the API with a secret key. */
export class Gateline {
  readonly #url: string;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  async call<Result>(method: string, path: string, body?: object): Promise<Result> {
    const { status, text } = await this.send(method, path, { body: body && JSON.stringify(body) });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return JSON.parse(text) as Result;
  }

  /** Downloads a file. An error is JSON, as in every answer. */
  async download(path: string): Promise<{ readonly status: number; readonly type: string; readonly bytes: Buffer }> {
    const response = await this.#fetch(path, {});
    const type = response.headers.get('Content-Type') ?? 'application/json';
    return { status: response.status, type, bytes: Buffer.from(await response.arrayBuffer()) };
  }

  /** Sends a body of JSON, and returns errors as they are. */
  async send(
    method: string,
    path: string,
    { body, headers = {} }: { readonly body?: string | undefined; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<Answer> {
    const response = await this.#fetch(path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body }),
    });
    return { status: response.status, text: await response.text(), retryAfter: response.headers.get('Retry-After') };
  }

  /** API Gateway answers within 29 seconds. */
  #fetch(path: string, init: { method?: string; body?: string; headers?: Record<string, string> }): Promise<Response> {
    const headers = { ...init.headers, Authorization: `Bearer ${this.#key}` };
    return fetch(`${this.#url}${path}`, { ...init, headers, signal: AbortSignal.timeout(30_000) });
  }
}
