import type { KeyMode } from '../../../domain/auth/api-keys.ts';
import type { KeySet, KeySetChange } from './key-set.ts';
import type { ApiKeyRecord } from './row.ts';
import { nextKeyId } from './sequence.ts';

/** What a key looks like is the door's affair (shared/http): it is handed in, and called with the id the key will have. */
export type MakeKey = (mode: KeyMode, orgId: string, keyId: string) => { text: string; hash: Uint8Array };

/** How much of a key's end is kept to recognise it by. It is part of the checksum, not of the secret. */
const endingLength = 4;

interface NewKeyFields extends Pick<ApiKeyRecord, 'label' | 'mode' | 'scopes' | 'expiresUnix'> {
  readonly lifetimeSeconds: number | null;
  readonly rotatedFrom: string | null;
}

interface NewKey extends Required<Pick<KeySetChange, 'add'>> {
  /** The key itself. It is stored nowhere: whoever asked for it shows it once. */
  readonly text: string;
}

/** A key with the next free id, ready to be written. */
export function newKey(keySet: KeySet, fields: NewKeyFields, make: MakeKey, createdUnix: number): NewKey {
  const { keyId, issued } = nextKeyId(keySet.issued);
  const { text, hash } = make(fields.mode, keySet.orgId, keyId);
  const row: ApiKeyRecord = {
    ...fields,
    orgId: keySet.orgId,
    keyId,
    createdUnix,
    revokedUnix: null,
    rotatedTo: null,
    ending: text.slice(-endingLength),
    lastUsedUnix: null,
  };
  return { text, add: { row, hash, issued } };
}
