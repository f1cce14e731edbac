import { type WindowName, windowIndex, windowRules } from '../../domain/auth/rate-windows.ts';
import { type Scope, scopes } from '../../domain/auth/scopes.ts';

/**
 * One item per organisation holds everything that authentication needs, so admitting a request is one conditional
 * write. Attribute names contain the key and the window (`m1_hhtfw` counts key 1 in one minute), so a new window starts at
 * zero without a reset, which could race. Names are short because DynamoDB charges by the size of the item.
 *
 * | attribute       | holds                                    |
 * |-----------------|------------------------------------------|
 * | h<key>          | SHA-256 of the key                       |
 * | a<key>          | its scopes: a letter per scope           |
 * | x<key>          | its expiry in Unix seconds, if any       |
 * | m<key>_<minute> | requests of the key in that minute       |
 * | d<key>_<day>    | requests of the key on that day          |
 * | o_<day>         | requests of the organisation on that day |
 * | limit_<letter>  | a limit of the organisation, where it is not that of the specification |
 * | version         | incremented with each change of the keys |
 * | issued          | how many key ids were ever issued        |
 */
export type AuthItem = Readonly<Record<string, unknown>>;

export const hashAttribute = (keyId: string): string => `h${keyId}`;
export const scopesAttribute = (keyId: string): string => `a${keyId}`;
export const expiryAttribute = (keyId: string): string => `x${keyId}`;

const windowLetters: Readonly<Record<WindowName, string>> = { key_minute: 'm', key_day: 'd', organisation_day: 'o' };

export function countAttribute(window: WindowName, keyId: string, index: number): string {
  const owner = window === 'organisation_day' ? '' : keyId;
  return `${windowLetters[window]}${owner}_${index.toString(36)}`;
}

/** The request limits of an organisation. */
export type RequestLimits = Readonly<Record<WindowName, number>>;

export const limitAttribute = (window: WindowName): string => `limit_${windowLetters[window]}`;

export function limitOf(item: AuthItem, window: WindowName): number {
  const limit = item[limitAttribute(window)];
  return typeof limit === 'number' ? limit : windowRules[window].limit;
}

export interface CountName {
  readonly window: WindowName;
  readonly keyId: string;
  readonly index: number;
}

const countPattern = /^([mdo])([0-9a-z]*)_([0-9a-z]+)$/;
const windowsByLetter: Readonly<Record<string, WindowName>> = { m: 'key_minute', d: 'key_day', o: 'organisation_day' };

export function parseCountAttribute(attribute: string): CountName | undefined {
  const [, letter = '', keyId = '', index = ''] = countPattern.exec(attribute) ?? [];
  const window = windowsByLetter[letter];
  return window === undefined ? undefined : { window, keyId, index: Number.parseInt(index, 36) };
}

export function countOf(item: AuthItem, attribute: string): number {
  const value = item[attribute];
  return typeof value === 'number' ? value : 0;
}

const scopeLetters: Readonly<Record<Scope, string>> = {
  read: 'r',
  'members:write': 'm',
  'baskets:write': 'b',
  'orders:write': 'o',
  'scans:write': 'c',
  'webhooks:write': 'w',
  'catalogue:write': 'k',
  finance: 'f',
  counter: 't',
  sso: 's',
};

export function encodeScopes(granted: readonly Scope[]): string {
  return granted.map((scope) => scopeLetters[scope]).join('');
}

export function scopesOf(item: AuthItem, keyId: string): Scope[] {
  const letters = item[scopesAttribute(keyId)];
  return typeof letters === 'string' ? scopes.filter((scope) => letters.includes(scopeLetters[scope])) : [];
}

/** Whether the item contains this key. Equal hashes mean equal keys. */
export function hasKey(item: AuthItem, keyId: string, hash: Uint8Array): boolean {
  const stored = item[hashAttribute(keyId)];
  return stored instanceof Uint8Array && Buffer.compare(stored, hash) === 0;
}

export function hasExpired(item: AuthItem, keyId: string, nowUnix: number): boolean {
  const expiry = item[expiryAttribute(keyId)];
  return typeof expiry === 'number' && expiry <= nowUnix;
}

/** Fewer stale counts than this are not worth a separate write. */
const minStaleCounts = 16;

/**
 * Returns the counts of windows that ended at least one window ago; an instance with a slow clock may still need a newer one.
 * The newest minute of each key is kept: it is the time of the key's last use.
 */
export function staleCounts(item: AuthItem, nowMs: number): string[] {
  const lastUse = lastUsedMinutes(item);
  const stale = Object.keys(item).filter((attribute) => {
    const count = parseCountAttribute(attribute);
    if (count === undefined || count.index >= windowIndex(count.window, nowMs) - 1) return false;
    return count.window !== 'key_minute' || count.index !== lastUse.get(count.keyId);
  });
  return stale.length < minStaleCounts ? [] : stale;
}

/** Returns the newest minute in which each key was used, by key id. */
export function lastUsedMinutes(item: AuthItem): ReadonlyMap<string, number> {
  const newest = new Map<string, number>();
  for (const count of Object.keys(item).map(parseCountAttribute)) {
    if (count?.window === 'key_minute') newest.set(count.keyId, Math.max(count.index, newest.get(count.keyId) ?? 0));
  }
  return newest;
}
