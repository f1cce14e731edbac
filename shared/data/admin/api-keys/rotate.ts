import {
  defaultOverlapSeconds,
  expiryAfter,
  type KeyState,
  keyState,
  lifetimeOf,
  liveKeyLimit,
  overlapEnd,
} from '../../../domain/auth/api-keys.ts';
import type { Table } from '../../table/table.ts';
import { changeKeys, type KeyMissing, type LimitReached, type OrganisationMissing } from './change.ts';
import { liveKeyIds, withLastUse } from './key-set.ts';
import { type MakeKey, newKey } from './new-key.ts';
import { type ApiKeyRecord, type KeyRowChange, readKeyRow } from './row.ts';

export interface RotateRequest {
  readonly orgId: string;
  readonly keyId: string;
  /** How long the old key stays valid; 0 revokes it at once. */
  readonly overlapSeconds?: number;
  /** By default the new key has the intended lifetime of the old one. */
  readonly expiresUnix?: number | null;
  readonly nowMs: number;
}

export type Rotated = {
  readonly outcome: 'rotated';
  readonly key: ApiKeyRecord;
  readonly text: string;
  readonly replaced: ApiKeyRecord;
};
export type NotRotatable =
  | { readonly outcome: 'not_live'; readonly state: Exclude<KeyState, 'live'> }
  | { readonly outcome: 'already_rotated'; readonly rotatedTo: string };

export function rotateKey(
  table: Table,
  request: RotateRequest,
  make: MakeKey,
): Promise<Rotated | NotRotatable | KeyMissing | LimitReached | OrganisationMissing> {
  const nowUnix = Math.floor(request.nowMs / 1000);
  const overlapSeconds = request.overlapSeconds ?? defaultOverlapSeconds;
  return changeKeys<Rotated | NotRotatable | KeyMissing | LimitReached>(table, request, async (keySet) => {
    // The row is read after the AUTH item: a change in between increments the version, and the transaction is refused.
    const old = await readKeyRow(table, request.orgId, request.keyId);
    if (old === undefined) return { outcome: { outcome: 'key_missing' } };
    const live = liveKeyIds(keySet, nowUnix);
    const refusal = rotationRefusal(old, live, nowUnix);
    if (refusal !== undefined) return { outcome: refusal };
    if (overlapSeconds > 0 && live.length >= liveKeyLimit) return { outcome: { outcome: 'limit_reached' } };

    const { label, mode, scopes, lifetimeSeconds: lifetime } = old;
    const expiresUnix = request.expiresUnix === undefined ? expiryAfter(lifetime, nowUnix) : request.expiresUnix;
    const lifetimeSeconds = lifetimeOf(expiresUnix, nowUnix);
    const fields = { label, mode, scopes, expiresUnix, lifetimeSeconds, rotatedFrom: old.keyId };
    const { text, add } = newKey(keySet, fields, make, nowUnix);
    const end: KeyRowChange =
      overlapSeconds > 0
        ? { keyId: old.keyId, expiresUnix: overlapEnd(old.expiresUnix, nowUnix, overlapSeconds) }
        : { keyId: old.keyId, revokedUnix: nowUnix };
    const change = { ...end, rotatedTo: add.row.keyId };
    const replaced = { ...withLastUse(old, keySet), ...change };
    return { write: { add, changes: [change] }, outcome: { outcome: 'rotated', key: add.row, text, replaced } };
  });
}

/** A key has one successor. It can be rotated again only if that one is no longer live, for example because it was lost. */
function rotationRefusal(old: ApiKeyRecord, live: readonly string[], nowUnix: number): NotRotatable | undefined {
  const state = keyState(old, nowUnix);
  if (state !== 'live') return { outcome: 'not_live', state };
  if (old.rotatedTo === null || !live.includes(old.rotatedTo)) return undefined;
  return { outcome: 'already_rotated', rotatedTo: old.rotatedTo };
}
