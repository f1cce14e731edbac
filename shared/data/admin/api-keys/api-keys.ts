import { type KeyMode, lifetimeOf, liveKeyLimit } from '../../../domain/auth/api-keys.ts';
import type { Scope } from '../../../domain/auth/scopes.ts';
import type { Table } from '../../table/table.ts';
import { changeKeys, type KeyMissing, type LimitReached, type OrganisationMissing } from './change.ts';
import { liveKeyIds, readKeySet, withLastUse } from './key-set.ts';
import { type MakeKey, newKey } from './new-key.ts';
import { type ApiKeyRecord, readKeyRow, readKeyRows } from './row.ts';

export interface IssueRequest {
  readonly orgId: string;
  readonly label: string | null;
  readonly mode: KeyMode;
  readonly scopes: readonly Scope[];
  readonly expiresUnix: number | null;
  readonly nowMs: number;
}

export type Issued = { readonly outcome: 'issued'; readonly key: ApiKeyRecord; readonly text: string };

export function issueKey(
  table: Table,
  request: IssueRequest,
  make: MakeKey,
): Promise<Issued | LimitReached | OrganisationMissing> {
  const nowUnix = Math.floor(request.nowMs / 1000);
  return changeKeys<Issued | LimitReached>(table, request, (keySet) => {
    if (liveKeyIds(keySet, nowUnix).length >= liveKeyLimit) return { outcome: { outcome: 'limit_reached' } };
    const { label, mode, expiresUnix } = request;
    const lifetimeSeconds = lifetimeOf(expiresUnix, nowUnix);
    const fields = { label, mode, scopes: [...request.scopes], expiresUnix, lifetimeSeconds, rotatedFrom: null };
    const { text, add } = newKey(keySet, fields, make, nowUnix);
    return { write: { add, changes: [] }, outcome: { outcome: 'issued', key: add.row, text } };
  });
}

export interface RevokeRequest {
  readonly orgId: string;
  readonly keyId: string;
  readonly nowMs: number;
}

export type Revoked =
  | { readonly outcome: 'revoked'; readonly key: ApiKeyRecord }
  | { readonly outcome: 'already_revoked'; readonly key: ApiKeyRecord };

/** Takes effect at the next request, because authentication caches nothing. Idempotent. */
export function revokeKey(table: Table, request: RevokeRequest): Promise<Revoked | KeyMissing | OrganisationMissing> {
  return changeKeys<Revoked | KeyMissing>(table, request, async (keySet) => {
    const row = await readKeyRow(table, request.orgId, request.keyId);
    if (row === undefined) return { outcome: { outcome: 'key_missing' } };
    if (row.revokedUnix !== null) return { outcome: { outcome: 'already_revoked', key: row } };
    const change = { keyId: row.keyId, revokedUnix: Math.floor(request.nowMs / 1000) };
    const key = { ...withLastUse(row, keySet), ...change };
    return { write: { changes: [change] }, outcome: { outcome: 'revoked', key } };
  });
}

export type Listed = { readonly outcome: 'listed'; readonly keys: readonly ApiKeyRecord[] };

/** Returns every key that the organisation ever had, with its last use. */
export async function listKeys(table: Table, orgId: string): Promise<Listed | OrganisationMissing> {
  // The AUTH item is read first: if a key is revoked in between, its row, which is read later, contains its last use.
  const keySet = await readKeySet(table, orgId);
  if (keySet === undefined) return { outcome: 'organisation_missing' };
  const rows = await readKeyRows(table, orgId);
  return { outcome: 'listed', keys: rows.map((row) => withLastUse(row, keySet)) };
}
