import { createHash } from 'node:crypto';
import { hashBarcode } from '../../../shared/data/scans/barcode-hash.ts';
import { createdUnixOf } from '../../../shared/domain/ids.ts';

/** A quarter of an hour, in seconds. A recording takes less, so every time of it is at the start of a step. */
const step = 900;
const daySeconds = 86_400;
/** The oldest row of the demo is younger. */
const demoYears = 8;

/** What is signed with keys that every run makes for itself. */
const signedLink = '2d8sKq0VnRzL5xTgB3yWcHfJm7Pa9EuXoQ1iNk6tYvS';
const signedPass =
  'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJwYXNzZXNAZ2F0ZWxpbmUuZXhhbXBsZS5jb20ifQ.c2lnbmF0dXJl';

/**
 * Replaces what differs from one recording to the next: random ids, secrets and times. The same value always gets the same
 * replacement, so an id in a response is the id in the next path.
 */
export class Normaliser {
  readonly #replacements = new Map<string, string>();
  readonly #startUnix: number;

  /** The time at which the local run started. */
  constructor(startUnix: number) {
    this.#startUnix = startUnix;
  }

  /** A call or an event with these replacements, and with short lists: an example needs one item. */
  example(value: object): object {
    return JSON.parse(JSON.stringify(this.normalised(value)), (key, inner) =>
      key === 'data' && Array.isArray(inner) ? inner.slice(0, 1) : inner,
    );
  }

  normalised(value: unknown, name = ''): unknown {
    if (Array.isArray(value)) return value.map((item) => this.normalised(item, name));
    if (typeof value === 'object' && value !== null) {
      if ('code' in value && String(value.code).startsWith('api-')) this.#forget(value);
      const fields = Object.entries(value).map(([key, inner]) => [key, this.normalised(inner, key)]);
      // How many requests a recording has sent depends on how often it had to wait.
      const counted = 'used' in value && 'limit' in value ? { used: 12, remaining: Number(value.limit) - 12 } : {};
      const example: Record<string, unknown> = { ...Object.fromEntries(fields), ...counted };
      if ('barcode_sha256' in example) example.barcode_sha256 = hashBarcode(String(example.barcode));
      return example;
    }
    if (typeof value === 'number') return this.#number(value, name);
    return typeof value === 'string' ? this.#text(value, name) : value;
  }

  /** A code that the service made up is random, and the ids that follow from it are. */
  #forget(value: object): void {
    const ids = Object.entries(value).filter(([name, id]) => name.endsWith('_id') && /^\d{13,}$/.test(String(id)));
    for (const [, id] of ids) this.#digits(String(id));
  }

  #number(value: number, name: string): number {
    if (name === 'duration_ms') return 84;
    if (name === 'resets_in') return 48;
    if (this.#replacements.has(String(value).slice(2))) return Number(this.#digits(String(value)));
    if (value >= 1e12) return this.#isOfDemo(value) ? value : Number(this.#digits(String(value)));
    return this.#isRecent(value) ? value - (value % step) : value;
  }

  /**
   * Ids of events, prices and the like follow from their codes, so every demo has them, and a reader can try a call with the id of
   * the example. All other ids contain the time.
   */
  #isOfDemo(id: number): boolean {
    const created = createdUnixOf(id);
    return (
      id >= 1e14 && (created < this.#startUnix - demoYears * 365 * daySeconds || created > this.#startUnix + daySeconds)
    );
  }

  #isRecent(unix: number): boolean {
    return Number.isInteger(unix) && unix >= this.#startUnix && unix < this.#startUnix + 2 * daySeconds;
  }

  #text(value: string, name: string): string {
    if (name === 'scan_time') return value.replace(/:\d\d:\d\d$/, ':00:00');
    if (name === 'barcode') return this.#like(value, '0123456789ABCDEFGHJKMNPQRSTVWXYZ');
    const isCode = (name === 'code' || name === 'source') && /^[\dA-HJKMNP-TV-Z]{12}$/.test(value);
    if (isCode) return this.#like(value, '0123456789ABCDEFGHJKMNPQRSTVWXYZ');
    if (name === 'client_secret') return this.#fixed(value, 'org_harbourfc~sbx_3712000000000064-1~secret');
    if (name === 'save_url') return this.#fixed(value, `https://pay.google.com/gp/v/save/${signedPass}`);
    if (name === 'next_cursor') return this.#fixed(value, 'MzcxMjAwMDAwMDAwMDA2NA.k3JYt1ZcQvAoWq0xUe7Rsg');
    const ms = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? Date.parse(value) : Number.NaN;
    if (this.#isRecent(Math.floor(ms / 1000))) return new Date(ms - (ms % (step * 1000))).toISOString();
    return value
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+(?=\/v1|$)/g, 'https://api.gateline.example')
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'https://hooks.example.com')
      .replaceAll(/(?<=gl_(?:ticket_harbourfc_\d+_\d|order_harbourfc_\d+)_1_)\w{43}$/g, signedLink)
      .replaceAll(/(?<=\/sandbox\/payments\/).+$/g, 'org_harbourfc~sbx_3712000000000064-1~page')
      .replaceAll(/^api-.{12}$/g, (code) => `api-${this.#like(code.slice(4), base64.slice(0, -2))}`)
      .replaceAll(/(?<![^\W_])\d{13,}\b/g, (digits) =>
        this.#isOfDemo(Number(digits)) && !this.#replacements.has(digits.slice(2)) ? digits : this.#digits(digits),
      )
      .replaceAll(/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g, (uuid) => this.#like(uuid, '0123456789abcdef'))
      .replaceAll(
        /(?<=_)[0-9A-HJKMNP-TV-Z]{26}\b/g,
        (ulid) => `01K${this.#like(ulid.slice(3), '0123456789ABCDEFGHJKMNPQRSTVWXYZ')}`,
      )
      .replaceAll(/(?<=whsec_)[\w+/]+(?==*$)/g, (secret) => this.#like(secret, base64));
  }

  /** A value that is signed, so it has no shape of its own. */
  #fixed(original: string, replacement: string): string {
    this.#replacements.set(original, replacement);
    return replacement;
  }

  #digits(original: string): string {
    return `37${this.#like(original.slice(2), '0123456789')}`;
  }

  /** A text of the same shape, which depends only on how many values were replaced before. */
  #like(original: string, alphabet: string): string {
    const known = this.#replacements.get(original);
    if (known !== undefined) return known;
    const bytes = createHash('sha512').update(`${alphabet} ${this.#replacements.size}`).digest();
    let index = 0;
    const made = original.replaceAll(
      /[\w+/]/g,
      () => alphabet[(bytes[index++ % bytes.length] ?? 0) % alphabet.length] ?? '',
    );
    this.#replacements.set(original, made);
    return made;
  }
}

const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
