import { characterCount, controlCharacters } from './characters.ts';

/** What a file or a client says of a resource that has metadata. Absent: it stays. */
export interface WithMetadataChange {
  readonly metadata?: MetadataChange | undefined;
}

/** What an organisation's own systems keep with a resource: pairs of a key and a text (ADR 82). */
export type Metadata = Readonly<Record<string, string>>;
/** Each key is set, or deleted by null or an empty text; null deletes all. Keys that are absent stay. */
export type MetadataChange = Readonly<Record<string, string | null>> | null;

export const metadataLimits = { pairs: 20, key: 40, value: 250, bytes: 2_048 } as const;

/** The keys that can be stored. Three names mean something else to JavaScript, and no program reads them back safely. */
export const metadataKeyPattern = new RegExp(`^[a-z0-9_-]{1,${metadataLimits.key}}$`);
const reservedNames = ['__proto__', 'constructor', 'prototype'];
export const isReservedName = (name: string): boolean => reservedNames.includes(name);

/** Metadata is beyond a limit. Nothing was written; the message is for the caller. */
export class MetadataRefused extends Error {
  override readonly name = 'MetadataRefused';
  readonly param: string;
  /** What is wrong with it: the end of a sentence that begins with its name. */
  readonly problem: string;

  constructor(param: string, problem: string) {
    super(`The parameter ${param} ${problem}`);
    this.param = param;
    this.problem = problem;
  }
}

/**
 * What a resource has after a change; the same object if nothing changes, and undefined if nothing is left. The rule is asked inside the transaction that writes
 * the row, so of two changes at the same moment none is lost and both together keep the limits.
 */
export function mergeMetadata(known: Metadata | undefined, change: MetadataChange | undefined): Metadata | undefined {
  if (change === undefined) return known;
  const merged = new Map(change === null ? [] : Object.entries(known ?? {}));
  for (const [key, value] of Object.entries(change ?? {})) {
    checkPair(key, value ?? '');
    if (value === null || value === '') merged.delete(key);
    else merged.set(key, value);
  }
  const after = inOrder([...merged]);
  // The table keeps no order of the keys of a map.
  if (JSON.stringify(after) === JSON.stringify(inOrder(Object.entries(known ?? {})))) return known;
  checkSize(after);
  return merged.size === 0 ? undefined : after;
}

const inOrder = (pairs: readonly (readonly [string, string])[]): Metadata =>
  Object.fromEntries(pairs.toSorted(([one], [other]) => (one < other ? -1 : 1)));

const control = new RegExp(`[${controlCharacters}]`);

/** The API has checked this by its schema; an import has not. */
function checkPair(key: string, value: string): void {
  const param = `metadata[${key.slice(0, metadataLimits.key + 1)}]`;
  if (!metadataKeyPattern.test(key) || isReservedName(key)) throw new MetadataRefused(param, keyRule);
  if (characterCount(value) <= metadataLimits.value && !control.test(value)) return;
  throw new MetadataRefused(
    param,
    `must be a string of at most ${metadataLimits.value} characters, without control characters.`,
  );
}

const keyRule = `has a key that is not allowed: use 1 to ${metadataLimits.key} of the characters a-z, 0-9, _ and -, and none of ${reservedNames.join(', ')}.`;

const utf8 = new TextEncoder();

function checkSize(metadata: Metadata): void {
  const entries = Object.entries(metadata);
  if (entries.length > metadataLimits.pairs) {
    throw new MetadataRefused(
      'metadata',
      `would have ${entries.length} pairs, and the limit is ${metadataLimits.pairs}. Delete pairs by sending null for their keys.`,
    );
  }
  const bytes = entries.reduce((sum, [key, value]) => sum + utf8.encode(key + value).length, 0);
  if (bytes <= metadataLimits.bytes) return;
  throw new MetadataRefused(
    'metadata',
    `would have ${bytes} bytes in all, and the limit is ${metadataLimits.bytes}: the keys and values together, in UTF-8.`,
  );
}

/** What a resource shows that has none. It is one object, so that two of them are the same. */
export const noMetadata: Metadata = {};
