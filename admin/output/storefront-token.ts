import type { StorefrontTokenRecord } from '../../shared/data/admin/storefront-tokens.ts';
import { keyState } from '../../shared/domain/auth/api-keys.ts';
import { alignColumns, orDash, showTime } from './text.ts';

export function tokenDocument(orgId: string, token: StorefrontTokenRecord, nowUnix: number) {
  return {
    org_id: orgId,
    token_id: token.tokenId,
    publishable_key: token.text,
    label: token.label,
    mode: token.mode,
    origins: token.origins,
    per_minute: token.perMinute,
    per_address: token.perAddress,
    max_baskets: token.maxBaskets,
    max_held: token.maxHeld,
    state: keyState(token, nowUnix),
    signer: token.signer,
    created: token.createdUnix,
    expires: token.expiresUnix,
    revoked: token.revokedUnix,
    rotated_from: token.rotatedFrom,
    last_used: token.lastUsedUnix,
  };
}

export function sheetOf(tokens: readonly StorefrontTokenRecord[], nowUnix: number): string {
  const sheets = tokens.map((token) =>
    alignColumns([
      ['token', token.tokenId],
      ['label', orDash(token.label)],
      ['mode', token.mode],
      ['origins', token.origins.join(' ')],
      ['requests a minute', String(token.perMinute)],
      ['  from one address', String(token.perAddress)],
      ['baskets in 15 minutes', `${token.maxBaskets} from one address`],
      ['tickets held', `${token.maxHeld} from one address`],
      ['state', keyState(token, nowUnix)],
      ['created', showTime(token.createdUnix)],
      ['expires', token.expiresUnix === null ? 'never' : showTime(token.expiresUnix)],
      ['last used', showTime(token.lastUsedUnix)],
      ['publishable key', token.text],
    ]),
  );
  return sheets.length === 0 ? 'No storefront tokens yet.' : sheets.join('\n\n');
}
