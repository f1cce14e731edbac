import { Explained } from './explained.ts';

/**
 * The service did not answer as it should. The message has the path, which has ids only: tokens never stand in it. The id of a customer who was
 * imported can be an address, which is left out.
 */
export class GatelineError extends Explained {
  readonly status: number;
  readonly waitMs: number;

  constructor(path: string, status: number, waitMs = 0) {
    super(`${path.replace(/\?.*/, '').replaceAll(/[^/]*%40[^/]*/g, '…')}: ${status === 0 ? 'no response' : status}`);
    this.status = status;
    this.waitMs = waitMs;
  }
}

/** API Gateway answers within 29 seconds. */
const timeoutMs = 30_000;

/** Reads from the API with a secret key. */
export class Gateline {
  readonly url: string;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.url = url;
    this.#key = key;
  }

  async get<Answer>(path: string): Promise<Answer> {
    const response = await this.#send(path, {});
    if (!response.ok)
      throw new GatelineError(path, response.status, Number(response.headers.get('Retry-After')) * 1000);
    return (await response.json()) as Answer;
  }

  /** What is gone, such as an object that was erased, is undefined. */
  async find<Answer>(path: string): Promise<Answer | undefined> {
    try {
      return await this.get<Answer>(path);
    } catch (error) {
      if (error instanceof GatelineError && error.status === 404) return undefined;
      throw error;
    }
  }

  async change<Answer>(method: 'POST' | 'PUT' | 'DELETE', path: string, body: object = {}): Promise<Answer> {
    const response = await this.#send(path, {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(method !== 'DELETE' && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new GatelineError(path, response.status);
    return JSON.parse((await response.text()) || '{}') as Answer;
  }

  async #send(path: string, { headers, ...init }: RequestInit): Promise<Response> {
    try {
      return await fetch(`${this.url}${path}`, {
        ...init,
        headers: { ...headers, Authorization: `Bearer ${this.#key}` },
        signal: AbortSignal.timeout(timeoutMs),
      });
    } catch {
      throw new GatelineError(path, 0);
    }
  }
}
