import { validationError } from './errors.ts';
import type { Executed, TableModel } from './table-model.ts';
import { consumedCapacity } from './usage.ts';
import type { Item } from './values.ts';

type Input = Readonly<Item>;

const operations: Readonly<Record<string, (model: TableModel, input: Input) => Executed>> = {
  GetItem: (model, input) => model.getItem(input),
  BatchGetItem: (model, { RequestItems }) => model.batchGetItem(tablesOf(RequestItems)),
  TransactGetItems: (model, { TransactItems }) => model.transactGetItems(listOf(TransactItems)),
  Query: (model, input) => model.query(input),
  Scan: (model, input) => model.scan(input),
  PutItem: (model, input) => model.putItem(input),
  UpdateItem: (model, input) => model.updateItem(input),
  DeleteItem: (model, input) => model.deleteItem(input),
  BatchWriteItem: (model, { RequestItems }) => model.batchWriteItem(tablesOf(RequestItems)),
  TransactWriteItems: (model, { TransactItems, ClientRequestToken: token }) =>
    model.transactWriteItems(listOf(TransactItems), typeof token === 'string' ? token : undefined),
};

const severalTables = new Set(['BatchGetItem', 'BatchWriteItem', 'TransactGetItems', 'TransactWriteItems']);

/** Executes an operation of DynamoDB, by its name, on the model. A refused request is an error in the result, not a throw. */
export function execute(model: TableModel, operation: string, input: Input): Executed {
  const run = operations[operation];
  if (run === undefined) throw new TypeError(`The model of the table does not know the operation ${operation}.`);
  try {
    const executed = run(model, input);
    const isReported = (input.ReturnConsumedCapacity ?? 'NONE') !== 'NONE' && executed.output !== undefined;
    return isReported ? withCapacity(operation, executed) : executed;
  } catch (error) {
    if (error instanceof TypeError) throw error;
    return { error, usage: [] };
  }
}

function withCapacity(operation: string, executed: Executed): Executed {
  const total = consumedCapacity(executed.usage);
  return {
    ...executed,
    output: { ...executed.output, ConsumedCapacity: severalTables.has(operation) ? [total] : total },
  };
}

function tablesOf<Requests>(value: unknown): Readonly<Record<string, Requests>> {
  if (!isMap<Requests>(value)) throw validationError('RequestItems must be a map.');
  return value;
}

function isMap<Value>(value: unknown): value is Record<string, Value> {
  return typeof value === 'object' && value !== null;
}

function listOf(value: unknown): readonly Item[] {
  if (!Array.isArray(value)) throw validationError('TransactItems must be a list.');
  return value;
}
