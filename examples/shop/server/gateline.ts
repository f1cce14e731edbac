/** Calls the API with the secret key. */
export class Gateline {
  readonly #url: string;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  async call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${this.#url}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${this.#key}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Answer;
  }
}

const timeoutMs = 10_000;
