/** The permissions of an API key. An operation requires exactly one of them. */
export const scopes = [
  'read',
  'members:write',
  'baskets:write',
  'orders:write',
  'scans:write',
  'webhooks:write',
  'finance',
  'sso',
] as const;
export type Scope = (typeof scopes)[number];

export function isScope(text: string): text is Scope {
  return scopes.some((scope) => scope === text);
}
