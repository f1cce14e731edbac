import { type Fetcher, SimpleFetcher } from 'aws-jwt-verify/https';
import { findJwkInJwks, type Jwks, type JwkWithKid } from 'aws-jwt-verify/jwk';
import { log } from '../platform/log.ts';
import { parseKeySet } from './key-set.ts';

/** A key that was withdrawn is believed for this long at most. */
const freshMs = 10 * 60_000;
/** While the provider does not answer, the last known keys are better than none; but not for ever. */
const maxStaleMs = 60 * 60_000;
/** Neither made-up key ids nor a provider that is down may make us ask more often. */
const minFetchIntervalMs = 10_000;
/** With the one repeat of the library twice this, of the ten seconds that a function has. */
const timeoutMs = 1_500;

interface CachedKeySet {
  readonly jwks: Jwks;
  readonly fetchedMs: number;
}

/** The provider's keys cannot be had now: nobody can say whether a token is good. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

/**
 * The key sets that are fetched from providers, for the life of an instance. A key id that is not in a set makes us fetch it
 * anew, so that a rotated key works at once.
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
