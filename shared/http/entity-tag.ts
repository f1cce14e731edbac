import { createHash } from 'node:crypto';

/** A strong entity tag: the same bytes have the same tag, and no other bytes have it. */
export function entityTagOf(body: string): string {
  return `"${createHash('sha256').update(body).digest('base64url')}"`;
}

/** A list of entity tags, as in RFC 9110, section 8.8.3. A tag may contain a comma. Empty elements are allowed. */
const listPattern = /^[ \t,]*((W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*(,[ \t,]*|$))+$/;
const tagPattern = /"[\x21\x23-\x7e\x80-\xff]*"/g;

/**
 * Whether If-None-Match names the current representation, so the client need not receive it again (RFC 9110, section
 * 13.1.2). The comparison is weak: `W/"a"` matches `"a"`. A malformed value matches nothing.
 */
export function matchesEntityTag(ifNoneMatch: readonly string[], entityTag: string): boolean {
  const value = ifNoneMatch.join(', ').trim();
  if (value === '*') return true;
  return listPattern.test(value) && value.match(tagPattern)?.includes(entityTag) === true;
}
