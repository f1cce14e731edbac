import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { tableSchema } from '../../shared/data/table/schema.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { fieldsOf, rowsOf } from './fields-of.ts';
import type { Operation } from './random-table-operations.ts';

const commands = {
  GetItem: GetCommand,
  BatchGetItem: BatchGetCommand,
  BatchWriteItem: BatchWriteCommand,
  Query: QueryCommand,
  Scan: ScanCommand,
  PutItem: PutCommand,
  UpdateItem: UpdateCommand,
  DeleteItem: DeleteCommand,
  TransactGetItems: TransactGetCommand,
  TransactWriteItems: TransactWriteCommand,
} as const;

/** The response or the error of an operation, without what may differ. */
export async function outcomeOf(table: Table, { name, input }: Operation): Promise<unknown> {
  const Command = commands[name];
  try {
    const output = await table.client.send(Reflect.construct(Command, [inputFor(table, { name, input })]));
    return comparable({ name, input }, output);
  } catch (error) {
    return failure(error);
  }
}

export function inputFor(table: Pick<Table, 'name'>, { name, input }: Operation): Readonly<Record<string, unknown>> {
  const TableName = table.name;
  const named = (write: object) =>
    Object.fromEntries(Object.entries(write).map(([kind, one]) => [kind, { ...fieldsOf(one), TableName }]));
  if (name === 'BatchGetItem') return { RequestItems: { [TableName]: input } };
  if (name === 'BatchWriteItem') return { RequestItems: { [TableName]: input.requests } };
  if (name === 'TransactGetItems' || name === 'TransactWriteItems') {
    return { TransactItems: rowsOf(input.TransactItems).map(named) };
  }
  return { ...input, TableName, ReturnConsumedCapacity: 'TOTAL' };
}

/**
 * Whether an update gives an item one half of an index key and takes the other. DynamoDB Local charges that index, although the item is
 * in it neither before nor after.
 */
function swapsHalves({ UpdateExpression = '', ExpressionAttributeNames = {} }: Operation['input']): boolean {
  const names = fieldsOf(ExpressionAttributeNames);
  const update = String(UpdateExpression).replaceAll(/#\w+/g, (name) => String(names[name]));
  const clauses = update.split(/\b(?=(?:SET|REMOVE|ADD|DELETE)\b)/);
  const indexesOf = (verb: string): readonly string[] =>
    clauses.filter((clause) => clause.startsWith(verb)).flatMap((clause) => clause.match(/\bby\d(?=[ps]k\b)/g) ?? []);
  const given = indexesOf('SET');
  return indexesOf('REMOVE').some((index) => given.includes(index));
}

function comparable({ name, input }: Operation, output: object): unknown {
  const { $metadata: _, ConsumedCapacity, Responses, ...rest } = { ...output } as Record<string, unknown>;
  const units = ConsumedCapacity && fieldsOf(ConsumedCapacity).CapacityUnits;
  // DynamoDB Local charges nothing for an empty Query, where DynamoDB charges half a unit. The size of a number is documented as
  // an approximation, so the sum of many items may round differently.
  const isIncomparable =
    name === 'Scan' || (name === 'Query' && fieldsOf(output).ScannedCount !== 1) || swapsHalves(input);
  const capacity = units === undefined || isIncomparable ? {} : { units };
  if (name === 'Scan') return { ...rest, Items: sorted(rowsOf(fieldsOf(output).Items)) };
  if (name === 'BatchGetItem') {
    const found = Object.values(fieldsOf(Responses)).flatMap(rowsOf);
    return { found: found.sort(byText) };
  }
  return { ...rest, ...(Responses !== undefined && { Responses }), ...capacity };
}

/** The text of an item, whatever the order of its attributes. */
const textOf = (item: object): string =>
  JSON.stringify(item, (_, value) =>
    value?.constructor === Object ? Object.fromEntries(Object.entries(value).sort()) : value,
  );
const byText = (one: object, other: object): number => textOf(one).localeCompare(textOf(other));

function failure(error: unknown): unknown {
  if (!(error instanceof Error)) throw error;
  const { name, Item, CancellationReasons } = fieldsOf(error);
  const reasons =
    CancellationReasons && rowsOf(CancellationReasons).map(({ Code: code, Item: item }) => ({ code, item }));
  return { error: name, ...(Item !== undefined && { Item }), ...(reasons !== undefined && { reasons }) };
}

/** Every item of the table and of its indexes, in order. */
export async function wholeTable(table: Table): Promise<unknown> {
  const read = async (IndexName: string | undefined, partitionKey: string, partition: string) => {
    const { Items } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        ...(IndexName && { IndexName }),
        KeyConditionExpression: `${partitionKey} = :pk`,
        ExpressionAttributeValues: { ':pk': partition },
      }),
    );
    return Items;
  };
  const [by1, by2] = tableSchema.indexes;
  return {
    table: await Promise.all(['A#1', 'B#1', 'C#1'].map((partition) => read(undefined, 'pk', partition))),
    indexes: await Promise.all(
      [by1, by2].flatMap(({ name, partitionKey }) =>
        ['P', 'Q', 'x', 'xy', 'y', 'open'].map(async (partition) => sorted(await read(name, partitionKey, partition))),
      ),
    ),
  };
}

/** DynamoDB does not define the order of items with the same keys in an index. */
function sorted(items: readonly object[] | undefined): readonly object[] {
  return [...(items ?? [])].sort(byText);
}
