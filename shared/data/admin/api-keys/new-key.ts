import type { KeyMode } from '../../../domain/auth/api-keys.ts';
import { nextKeyId } from './key-ids.ts';
import type { KeySet, KeySetChange } from './key-set.ts';
import type { ApiKeyRecord } from './row.ts';

/** Creates the text and the hash of a key with this id, and signs it. The format of keys is defined in `shared/http`. */
export type MakeKey = (
  mode: KeyMode,
  orgId: string,
  keyId: string,
) => { readonly text: string; readonly hash: Uint8Array; readonly signer: string };

/** How many of the last characters of a key are stored to recognise it. They are part of the checksum, not of the secret. */
const endingLength = 4;

interface NewKeyFields extends Pick<ApiKeyRecord, 'label' | 'mode' | 'scopes' | 'expiresUnix'> {
  readonly lifetimeSeconds: number | null;
  readonly rotatedFrom: string | null;
}

interface NewKey extends Required<Pick<KeySetChange, 'add'>> {
  /** The key itself. It is not stored: the CLI shows it once. */
  readonly text: string;
}

/** Creates a key with the next free id, ready to be written. */
export function newKey(keySet: KeySet, fields: NewKeyFields, make: MakeKey, createdUnix: number): NewKey {
  const { keyId, issued } = nextKeyId(keySet.issued);
  const { text, hash, signer } = make(fields.mode, keySet.orgId, keyId);
  const row: ApiKeyRecord = {
    ...fields,
    orgId: keySet.orgId,
    keyId,
    createdUnix,
    revokedUnix: null,
    rotatedTo: null,
    signer,
    ending: text.slice(-endingLength),
    lastUsedUnix: null,
  };
  return { text, add: { row, hash, issued } };
}
