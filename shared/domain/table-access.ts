/**
 * Every partition key of the table begins with the kind of thing it holds (`ORG#…`), because IAM can limit a function to
 * partition keys only. An operation names the kinds it touches and what it does to them; its grants follow from that.
 */
export const keyKinds = {
  DOOR: 'what the door needs of an organisation: key hashes, scopes and request counts',
  KEY: 'what the platform team knows of an API key: label, scopes, dates',
  ORG: 'the organisation record',
  PING: 'holds nothing: the health check reads it to see that the table answers',
} as const;
export type KeyKind = keyof typeof keyKinds;

export const readActions = ['GetItem', 'BatchGetItem', 'Query'] as const;
export const writeActions = ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem', 'BatchWriteItem'] as const;
export type TableAction = (typeof readActions)[number] | (typeof writeActions)[number];

export type TableAccess = Partial<Readonly<Record<KeyKind, readonly TableAction[]>>>;
