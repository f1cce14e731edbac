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
    const response = await fetch(`${this.#url}${path}`, {
      headers: { Authorization: `Bearer ${this.#key}` },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const type = response.headers.get('Content-Type') ?? 'application/json';
    return { status: response.status, type, bytes: Buffer.from(await response.arrayBuffer()) };
  }

  /** Sends a body of JSON, and returns errors as they are. */
  async send(
    method: string,
    path: string,
    { body, headers = {} }: { readonly body?: string | undefined; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<Answer> {
    const response = await fetch(`${this.#url}${path}`, {
      method,
      headers: {
        ...headers,
        Authorization: `Bearer ${this.#key}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, text: await response.text(), retryAfter: response.headers.get('Retry-After') };
  }
}

/** API Gateway answers within 29 seconds. */
const timeoutMs = 30_000;
