import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { execute } from './execute.ts';
import { TableModel } from './table-model.ts';
import type { Item } from './values.ts';
import { convertItems, fromWire, toWire } from './wire-values.ts';

export interface WireResponse {
  readonly status: number;
  readonly body: string;
}

/** DynamoDB's JSON API on models of tables, by their names. A call is carried out at once. */
export class ModelDatabase {
  readonly #tables = new Map<string, TableModel>();

  /** Deletes all tables. */
  clear(): void {
    this.#tables.clear();
  }

  /** Carries out a request by its `x-amz-target` and its body. */
  call(target: string, body: string): WireResponse {
    const operation = target.split('.').at(-1) ?? '';
    const input: Item = JSON.parse(body);
    if (operation === 'CreateTable') return this.#create(String(input.TableName));
    const table = this.#tables.get(tableOf(input));
    if (table === undefined)
      return failure('ResourceNotFoundException', { message: 'Cannot do operations on a non-existent table' });
    const { output, error } = execute(table, operation, convertItems(input, fromWire));
    return output === undefined ? refusal(error) : success(convertItems(output, (item) => toWire(Object(item))));
  }

  #create(TableName: string): WireResponse {
    if (this.#tables.has(TableName))
      return failure('ResourceInUseException', { message: 'Cannot create preexisting table' });
    this.#tables.set(TableName, new TableModel(Date.now));
    return success({ TableDescription: { TableName, TableStatus: 'ACTIVE' } });
  }
}

/** The table of a request, which uses only one. */
function tableOf({ TableName, RequestItems, TransactItems }: Item): string {
  if (typeof TableName === 'string') return TableName;
  if (RequestItems !== undefined) return Object.keys(Object(RequestItems))[0] ?? '';
  const [first] = Array.isArray(TransactItems) ? TransactItems : [];
  return Object(Object.values(Object(first))[0]).TableName ?? '';
}

function success(body: object): WireResponse {
  return { status: 200, body: JSON.stringify(body) };
}

function refusal(error: unknown): WireResponse {
  if (!(error instanceof DynamoDBServiceException)) throw error;
  const { Item: found, CancellationReasons: reasons } = Object(error);
  const item = (marshalled: unknown) => marshalled !== undefined && { Item: toWire(unmarshall(Object(marshalled))) };
  return failure(error.name, {
    message: error.message,
    ...item(found),
    ...(reasons && { CancellationReasons: reasons.map((reason: Item) => ({ ...reason, ...item(reason.Item) })) }),
  });
}

function failure(name: string, content: object): WireResponse {
  return { status: 400, body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, ...content }) };
}
