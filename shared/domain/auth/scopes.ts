/** The permissions of an API key. An operation requires one of them; some reads accept a second one instead. */
export const scopes = [
  'read',
  'members:write',
  'baskets:write',
  'orders:write',
  'scans:write',
  'webhooks:write',
  'catalogue:write',
  'finance',
  'counter',
  'sso',
] as const;
export type Scope = (typeof scopes)[number];

export function isScope(text: string): text is Scope {
  return scopes.some((scope) => scope === text);
}
