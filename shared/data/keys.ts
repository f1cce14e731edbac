import type { KeyKind } from '../domain/table-access.ts';

/** The primary key of an item. Both attributes are strings; `pk` begins with the kind and then the organisation. */
export interface ItemKey {
  readonly pk: string;
  readonly sk: string;
}

/** The sort key of an item that is alone in its partition. */
const only = '#';

function key(kind: KeyKind, parts: readonly string[], sk: string = only): ItemKey {
  return { pk: [kind, ...parts].join('#'), sk };
}

export const doorKey = (orgId: string): ItemKey => key('DOOR', [orgId]);
export const organisationKey = (orgId: string): ItemKey => key('ORG', [orgId]);
export const apiKeyKey = (orgId: string, keyId: string): ItemKey => key('KEY', [orgId], keyId);
export const apiKeysPartition = (orgId: string): string => apiKeyKey(orgId, only).pk;
export const pingKey = (): ItemKey => key('PING', ['']);
