import { createHmac, timingSafeEqual } from 'node:crypto';

/** Identifies a list: a cursor is valid for one organisation, operation and set of filters. */
export interface ListIdentity {
  readonly orgId: string;
  readonly operation: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/**
 * A cursor is a position in a list with a signature over the position, the organisation, the operation and its filters. A
 * client cannot forge a cursor, change it, or use it for another list.
 */
export function signCursor(key: Uint8Array, list: ListIdentity, sortKey: string): string {
  return `${Buffer.from(sortKey).toString('base64url')}.${signatureOf(key, list, sortKey).toString('base64url')}`;
}

/** Returns the sort key in a cursor; undefined if the signature is wrong or the cursor belongs to another list. */
export function verifyCursor(key: Uint8Array, list: ListIdentity, cursor: string): string | undefined {
  const [sortKeyPart = '', signaturePart = ''] = cursor.split('.');
  const sortKey = Buffer.from(sortKeyPart, 'base64url').toString();
  const [given, expected] = [Buffer.from(signaturePart, 'base64url'), signatureOf(key, list, sortKey)];
  const isGenuine = given.length === expected.length && timingSafeEqual(given, expected);
  // The exact text is compared, because several base64 texts decode to the same bytes.
  return isGenuine && cursor === signCursor(key, list, sortKey) ? sortKey : undefined;
}

/** Returns the same text for the same list, whatever the order of its parameters. */
function canonicalList({ operation, parameters }: ListIdentity): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return JSON.stringify([operation, given.sort(([a], [b]) => (a < b ? -1 : 1))]);
}

const signatureBytes = 16;

function signatureOf(key: Uint8Array, list: ListIdentity, sortKey: string): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify([list.orgId, canonicalList(list), sortKey]))
    .digest()
    .subarray(0, signatureBytes);
}
