import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { asRecord, listMember, member, textMember } from '../../local/cloud/iam/access-request.ts';
import { partitionKeyOfQuery } from '../../local/cloud/iam/key-condition.ts';
import { tableSchema } from '../../shared/data/table/schema.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { TableAccess } from '../../shared/domain/table-access.ts';

/**
 * A table that refuses what a function's grants do not allow, as its IAM role does. Handlers are called with it, so every
 * branch that a data test reaches proves the grants of the registry.
 */
export function grantedTable(table: Table, id: string, access: TableAccess): Table {
  const granted = new Map<string, readonly string[]>(Object.entries(access));
  const send = (command: Parameters<DynamoDBDocumentClient['send']>[0], options?: object) => {
    for (const { action, pk } of accessesOf(command.constructor.name.replace('Command', ''), command.input)) {
      const kind = pk.split('#')[0] ?? '';
      if (granted.get(kind)?.includes(action) !== true) throw new Error(`${id} has no grant of ${action} on ${kind}.`);
    }
    return table.client.send(command, options);
  };
  return { ...table, client: Object.create(table.client, { send: { value: send } }) };
}

interface ItemAccess {
  readonly action: string;
  readonly pk: string;
}

const onItem = (action: string, item: unknown): ItemAccess => ({ action, pk: textMember(item, 'pk') });

function accessesOf(command: string, input: unknown): ItemAccess[] {
  const batches = Object.values(member(input, 'RequestItems'));
  switch (command) {
    case 'Get':
    case 'Update':
    case 'Delete':
    case 'ConditionCheck':
      return [onItem(`${command}Item`, member(input, 'Key'))];
    case 'Put':
      return [onItem('PutItem', member(input, 'Item'))];
    case 'Query':
      return [onItem('Query', { pk: partitionKeyOfQuery(input, partitionKeyOf(textMember(input, 'IndexName'))) })];
    case 'BatchGet':
      return batches.flatMap((batch) => listMember(batch, 'Keys')).map((key) => onItem('BatchGetItem', key));
    case 'BatchWrite':
      return batches.flat().map((write) => onItem('BatchWriteItem', writtenKey(write)));
    case 'TransactGet':
    case 'TransactWrite':
      return listMember(input, 'TransactItems')
        .flatMap((item) => Object.entries(asRecord(item)))
        .flatMap(([part, itemInput]) => accessesOf(part, itemInput));
    default:
      return [{ action: command, pk: '' }];
  }
}

const writtenKey = (write: unknown) => member(write, 'PutRequest').Item ?? member(write, 'DeleteRequest').Key;

const partitionKeyOf = (index: string): string =>
  tableSchema.indexes.find(({ name }) => name === index)?.partitionKey ?? tableSchema.partitionKey;
