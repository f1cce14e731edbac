/** The names of the attributes that are the key of a table or of an index. All of them are texts. */
export interface KeySchema {
  readonly partitionKey: string;
  /** Undefined if the partition key is the whole key. */
  readonly sortKey?: string | undefined;
}

export interface IndexSchema extends KeySchema {
  readonly name: string;
  /** `ALL` or `KEYS_ONLY`. */
  readonly projection: string;
}

export interface TableSchema extends KeySchema {
  readonly indexes: readonly IndexSchema[];
  readonly timeToLive?: string | undefined;
}

export function keyNames({ partitionKey, sortKey }: KeySchema): readonly string[] {
  return sortKey === undefined ? [partitionKey] : [partitionKey, sortKey];
}
