import type { ApiKeyRecord } from '../../shared/data/admin/api-keys/row.ts';
import { keyState } from '../../shared/domain/auth/api-keys.ts';
import { scopes } from '../../shared/domain/auth/scopes.ts';
import { alignColumns, orDash, showTime } from './text.ts';

/** A key as JSON; times are Unix seconds or null. */
export function keyDocument(key: ApiKeyRecord, nowUnix: number) {
  return {
    org_id: key.orgId,
    key_id: key.keyId,
    label: key.label,
    mode: key.mode,
    scopes: key.scopes,
    state: keyState(key, nowUnix),
    signer: key.signer,
    ending: key.ending,
    created: key.createdUnix,
    expires: key.expiresUnix,
    revoked: key.revokedUnix,
    last_used: key.lastUsedUnix,
    rotated_from: key.rotatedFrom,
    rotated_to: key.rotatedTo,
  };
}

function showScopes(granted: ApiKeyRecord['scopes']): string {
  return granted.length === scopes.length ? 'all' : granted.join(',');
}

/** A key as text, one line per property. */
export function keySheet(key: ApiKeyRecord, nowUnix: number): string {
  return alignColumns([
    ['organisation', key.orgId],
    ['key id', key.keyId],
    ['label', orDash(key.label)],
    ['mode', key.mode],
    ['scopes', showScopes(key.scopes)],
    ['state', keyState(key, nowUnix)],
    ['signed by', key.signer],
    ['ends with', `…${key.ending}`],
    ['created', showTime(key.createdUnix)],
    ['expires', key.expiresUnix === null ? 'never' : showTime(key.expiresUnix)],
    ['revoked', showTime(key.revokedUnix)],
    ['last used', showTime(key.lastUsedUnix)],
    ['rotated from', orDash(key.rotatedFrom)],
    ['rotated to', orDash(key.rotatedTo)],
  ]);
}

const columns = [
  'KEY',
  'LABEL',
  'MODE',
  'SCOPES',
  'STATE',
  'ENDS WITH',
  'CREATED',
  'EXPIRES',
  'LAST USED',
  'ROTATED TO',
];

export function keyTable(keys: readonly ApiKeyRecord[], nowUnix: number): string {
  const rows = keys.map((key) => [
    key.keyId,
    orDash(key.label),
    key.mode,
    showScopes(key.scopes),
    keyState(key, nowUnix),
    `…${key.ending}`,
    showTime(key.createdUnix),
    key.expiresUnix === null ? 'never' : showTime(key.expiresUnix),
    showTime(key.lastUsedUnix),
    orDash(key.rotatedTo),
  ]);
  return rows.length === 0 ? 'No keys yet.' : alignColumns([columns, ...rows]);
}
