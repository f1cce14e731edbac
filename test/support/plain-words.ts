import { isRecord } from '../../shared/operations/schema-shape.ts';

/** Private words and turns of phrase that have a plain equivalent. Documents and public texts must not contain them. */
const forbidden =
  /\b(anew|bookmarks?|busy or away|by itself|by themselves|cloakroom|deeds?|desk|doors?|errands?|(is|are|was|were) told|lanes?|mend(s|ed|ing)?|mischief|mission|nobody|of its own accord|somebody|stands? (for|in|on)|whoever|whom)\b/gi;

/** The forbidden words in a text, as they are written there. */
export function forbiddenWords(text: string): readonly string[] {
  return text.match(forbidden) ?? [];
}

/** The strings at any depth of a value that contain a forbidden word: their path, such as `paths./v1/members.get`, and the words. */
export function forbiddenTexts(value: unknown, path = ''): string[] {
  if (typeof value === 'string') {
    const words = forbiddenWords(value);
    return words.length === 0 ? [] : [`${path}: ${words.join(', ')}`];
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => forbiddenTexts(item, `${path}[${index}]`));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => forbiddenTexts(inner, path === '' ? key : `${path}.${key}`));
}
