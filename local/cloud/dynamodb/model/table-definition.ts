import * as v from 'valibot';
import type { KeySchema, TableSchema } from './schema.ts';

const Keys = v.pipe(
  v.array(v.object({ AttributeName: v.string(), KeyType: v.picklist(['HASH', 'RANGE']) })),
  v.transform((keys): KeySchema => {
    const nameOf = (type: string) => keys.find(({ KeyType }) => KeyType === type)?.AttributeName;
    return { partitionKey: nameOf('HASH') ?? '', sortKey: nameOf('RANGE') };
  }),
);

/** The input of CreateTable, as far as the model knows it. All keys are texts. */
export const TableDefinition = v.looseObject({
  TableName: v.string(),
  AttributeDefinitions: v.array(v.looseObject({ AttributeType: v.literal('S') })),
  KeySchema: Keys,
  GlobalSecondaryIndexes: v.optional(
    v.array(
      v.object({
        IndexName: v.string(),
        KeySchema: Keys,
        Projection: v.object({ ProjectionType: v.picklist(['ALL', 'KEYS_ONLY']) }),
      }),
    ),
    [],
  ),
});

export function schemaOf(definition: v.InferOutput<typeof TableDefinition>): TableSchema {
  const indexes = definition.GlobalSecondaryIndexes.map(({ IndexName, KeySchema: keys, Projection }) => ({
    ...keys,
    name: IndexName,
    projection: Projection.ProjectionType,
  }));
  return { ...definition.KeySchema, indexes };
}
