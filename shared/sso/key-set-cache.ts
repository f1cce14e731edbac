import { type Fetcher, SimpleFetcher } from 'aws-jwt-verify/https';
import { findJwkInJwks, type Jwks, type JwkWithKid } from 'aws-jwt-verify/jwk';
import { log } from '../platform/log.ts';
import { parseKeySet } from './key-set.ts';

/** A withdrawn key is accepted for at most this long. */
const freshMs = 10 * 60_000;
/** While the provider does not respond, cached keys are used up to this age. */
const maxStaleMs = 60 * 60_000;
/** The limit also applies to tokens with made-up key ids and to a provider that is down. */
const minFetchIntervalMs = 10_000;
/** The library retries once, so a fetch takes up to twice this time, of the ten seconds that the function has. */
const timeoutMs = 1_500;

interface CachedKeySet {
  readonly jwks: Jwks;
  readonly fetchedMs: number;
}

/** The provider's keys cannot be fetched, so the token cannot be verified. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

/**
 * Caches the key sets of providers for the life of an instance. An unknown key id causes a new fetch, so a rotated key
 * works at once.
 */
export class KeySetCache {
  readonly #fetcher: Fetcher;
  readonly #known = new Map<string, CachedKeySet>();
  readonly #lastTry = new Map<string, { readonly atMs: number; readonly failed: boolean }>();

  constructor(fetcher: Fetcher = new SimpleFetcher({ defaultRequestOptions: { responseTimeout: timeoutMs } })) {
    this.#fetcher = fetcher;
  }

  /** The key with this id; undefined when the provider has none. */
  async findKey(uri: string, keyId: string, nowMs: number): Promise<JwkWithKid | undefined> {
    const fresh = this.#keyIn(uri, keyId, nowMs - freshMs);
    if (fresh !== undefined) return fresh;
    const lastTry = this.#lastTry.get(uri);
    const isTooSoon = lastTry !== undefined && nowMs < lastTry.atMs + minFetchIntervalMs;
    const failed = isTooSoon ? lastTry.failed : !(await this.#fetch(uri, nowMs));
    const key = this.#keyIn(uri, keyId, nowMs - maxStaleMs);
    if (key === undefined && failed) throw new KeysUnavailable();
    return key;
  }

  #keyIn(uri: string, keyId: string, sinceMs: number): JwkWithKid | undefined {
    const cached = this.#known.get(uri);
    return cached === undefined || cached.fetchedMs < sinceMs ? undefined : findJwkInJwks(cached.jwks, keyId);
  }

  async #fetch(uri: string, nowMs: number): Promise<boolean> {
    try {
      const text = new TextDecoder().decode(await this.#fetcher.fetch(uri));
      this.#known.set(uri, { jwks: parseKeySet(text), fetchedMs: nowMs });
      this.#lastTry.set(uri, { atMs: nowMs, failed: false });
      return true;
    } catch {
      log.warn('The keys of an identity provider could not be fetched', { host: new URL(uri).host });
      this.#lastTry.set(uri, { atMs: nowMs, failed: true });
      return false;
    }
  }
}
