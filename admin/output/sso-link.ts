import type { SsoLink } from '../../shared/domain/sso/provider.ts';
import { alignColumns, showTime } from './text.ts';

/** A link as JSON, for scripts and for the person's own data. */
export function linkDocument({ issuer, subject, userId, linkedUnix }: SsoLink) {
  return { issuer, subject, user_id: userId, linked: linkedUnix };
}

export function linkTable(links: readonly SsoLink[]): string {
  if (links.length === 0) return 'No links.';
  const rows = links.map(({ issuer, subject, userId, linkedUnix }) => [
    issuer,
    subject,
    String(userId),
    showTime(linkedUnix),
  ]);
  return alignColumns([['ISSUER', 'SUBJECT', 'USER', 'LINKED'], ...rows]);
}
