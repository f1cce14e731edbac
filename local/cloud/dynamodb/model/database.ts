import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { serviceError } from './errors.ts';
import { execute } from './execute.ts';
import { TableStream } from './stream.ts';
import { schemaOf, TableDefinition } from './table-definition.ts';
import { TableModel } from './table-model.ts';
import { fieldOf, type Item, isItem } from './values.ts';
import { convertItems, fromWire, toWire } from './wire-values.ts';

export interface WireResponse {
  readonly status: number;
  readonly body: string;
}

interface NamedTable {
  readonly model: TableModel;
  /** The input of CreateTable, which DescribeTable returns. */
  readonly description: Item;
  stream?: TableStream;
}

/** The JSON APIs of DynamoDB and of its streams, on models of tables. A request is carried out at once. */
export class ModelDatabase {
  readonly #tables = new Map<string, NamedTable>();
  readonly #streams = new Map<string, TableStream>();
  readonly #onCall: (operation: string, input: Item) => void;

  /** `onCall` sees every call of a table before it is carried out. */
  constructor(onCall: (operation: string, input: Item) => void = () => {}) {
    this.#onCall = onCall;
  }

  /** Deletes all tables. */
  clear(): void {
    this.#tables.clear();
    this.#streams.clear();
  }

  /** Carries out a request, by its `x-amz-target` and its body. */
  request(target: string, body: string): WireResponse {
    const [api = '', operation = ''] = target.split('.');
    const input: Item = JSON.parse(body);
    try {
      const output = api.startsWith('DynamoDBStreams')
        ? this.#readStream(operation, input)
        : this.#callTable(operation, input);
      return { status: 200, body: JSON.stringify(output) };
    } catch (error) {
      return refusal(error);
    }
  }

  /** Carries out a call whose items are as the document client of the SDK represents them. */
  call(operation: string, input: Item): Item {
    const { model } = this.#table(tableOf(input));
    this.#onCall(operation, input);
    const { output, error } = execute(model, operation, input);
    if (output === undefined) throw error;
    return output;
  }

  model(tableName: string): TableModel {
    return this.#table(tableName).model;
  }

  #callTable(operation: string, input: Item): Item {
    switch (operation) {
      case 'CreateTable':
        return this.#create(input);
      case 'DescribeTable':
        return { Table: this.#describe(String(input.TableName)) };
      case 'UpdateTable': {
        this.#enableStream(String(input.TableName), input.StreamSpecification);
        return { TableDescription: this.#describe(String(input.TableName)) };
      }
      case 'DeleteTable': {
        const TableDescription = this.#describe(String(input.TableName));
        this.#tables.delete(String(input.TableName));
        return { TableDescription };
      }
      default:
        return convertItems(this.call(operation, convertItems(input, fromWire)), toWire);
    }
  }

  #readStream(operation: string, input: Item): Item {
    const arn = String(input.StreamArn ?? String(input.ShardIterator).split('|')[0]);
    const stream = this.#streams.get(arn);
    if (stream === undefined) throw serviceError('ResourceNotFoundException', `There is no stream ${arn}`);
    switch (operation) {
      case 'DescribeStream':
        return stream.describe();
      case 'GetShardIterator':
        return stream.shardIterator(input);
      case 'GetRecords':
        return stream.records(input);
      default:
        throw new TypeError(`The model of the table does not know the operation ${operation}.`);
    }
  }

  #create(input: Item): Item {
    const definition = v.parse(TableDefinition, input);
    const { TableName } = definition;
    if (this.#tables.has(TableName)) throw serviceError('ResourceInUseException', `There is a table ${TableName}`);
    const description = { TableStatus: 'ACTIVE', ...input };
    this.#tables.set(TableName, { model: new TableModel(schemaOf(definition), Date.now), description });
    this.#enableStream(TableName, input.StreamSpecification);
    return { TableDescription: this.#describe(TableName) };
  }

  #describe(tableName: string): Item {
    const { description, stream } = this.#table(tableName);
    return {
      ...description,
      ...(stream && { LatestStreamArn: stream.arn, StreamSpecification: stream.specification }),
    };
  }

  #enableStream(tableName: string, specification: unknown): void {
    const StreamViewType = fieldOf(specification, 'StreamViewType');
    const table = this.#table(tableName);
    if (typeof StreamViewType !== 'string' || table.stream !== undefined) return;
    const arn = `arn:aws:dynamodb:local:000000000000:table/${tableName}/stream/1`;
    const stream = new TableStream(arn, table.model.storage.schema, StreamViewType);
    table.model.storage.onChange((change) => stream.add(change));
    table.stream = stream;
    this.#streams.set(arn, stream);
  }

  #table(name: string): NamedTable {
    const table = this.#tables.get(name);
    if (table === undefined)
      throw serviceError('ResourceNotFoundException', 'Cannot do operations on a non-existent table');
    return table;
  }
}

/** The table of a request, which uses only one. */
function tableOf({ TableName, RequestItems, TransactItems }: Item): string {
  if (typeof TableName === 'string') return TableName;
  if (isItem(RequestItems)) return Object.keys(RequestItems)[0] ?? '';
  const [first] = Array.isArray(TransactItems) ? TransactItems : [];
  return String(fieldOf(isItem(first) ? Object.values(first)[0] : undefined, 'TableName') ?? '');
}

/** An error of the service. Any other one is a fault of the model, which the caller must see. */
function refusal(error: unknown): WireResponse {
  if (!(error instanceof DynamoDBServiceException)) throw error;
  const found = error instanceof ConditionalCheckFailedException ? error.Item : undefined;
  const reasons = error instanceof TransactionCanceledException ? error.CancellationReasons : undefined;
  const item = (marshalled: Record<string, AttributeValue> | undefined) =>
    marshalled !== undefined && { Item: toWire(unmarshall(marshalled)) };
  const body = {
    __type: `com.amazonaws.dynamodb.v20120810#${error.name}`,
    message: error.message,
    ...item(found),
    ...(reasons && { CancellationReasons: reasons.map((reason) => ({ ...reason, ...item(reason.Item) })) }),
  };
  return { status: 400, body: JSON.stringify(body) };
}
