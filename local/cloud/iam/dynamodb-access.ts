import { localAccountId } from '../template/assembly.ts';
import { type AccessRequestReader, accessRequest, asRecord, listMember, member, textMember } from './access-request.ts';
import type { AccessRequest } from './evaluate.ts';
import { partitionKeyOfQuery } from './key-condition.ts';

/** The partition key attributes of a table and its indexes. */
export interface TableKeys {
  partitionKey: string;
  indexPartitionKeys: Readonly<Record<string, string>>;
}

/** Replaces a leading key that the request does not contain. Only the policy pattern `*` matches it. */
const unknownLeadingKey = '(unknown)';

export function dynamoDbAccess(region: string, tables: ReadonlyMap<string, TableKeys>): AccessRequestReader {
  const tableName = (value: unknown) => String(value ?? '').split('/')[1] ?? String(value ?? '');
  const tableArn = (name: string) => `arn:aws:dynamodb:${region}:${localAccountId}:table/${name}`;

  /** The access request for items of a table, given by their key attributes. */
  function onItems(action: string, table: unknown, items: readonly unknown[]): AccessRequest {
    const name = tableName(table);
    const partitionKey = tables.get(name)?.partitionKey;
    const keys = partitionKey === undefined ? [] : items.map((item) => scalar(asRecord(item)[partitionKey]));
    return accessRequest(action, tableArn(name), { 'dynamodb:LeadingKeys': keys });
  }

  function onQuery(input: Record<string, unknown>): AccessRequest {
    const name = tableName(input.TableName);
    const index = textMember(input, 'IndexName');
    const keys = tables.get(name);
    const partitionKey = index === '' ? keys?.partitionKey : keys?.indexPartitionKeys[index];
    const context =
      partitionKey === undefined ? {} : { 'dynamodb:LeadingKeys': [scalar(partitionKeyOfQuery(input, partitionKey))] };
    return accessRequest('dynamodb:Query', withIndex(tableArn(name), index), context);
  }

  const onTransactionItem = (item: unknown): AccessRequest[] =>
    Object.entries(asRecord(item)).map(([kind, body]) => {
      const table = asRecord(body).TableName;
      if (kind === 'Put') return onItems('dynamodb:PutItem', table, [asRecord(body).Item]);
      const action = kind === 'ConditionCheck' ? 'dynamodb:ConditionCheckItem' : `dynamodb:${kind}Item`;
      return onItems(action, table, [asRecord(body).Key]);
    });

  return (operation, input) => {
    switch (operation) {
      case 'GetItem':
      case 'UpdateItem':
      case 'DeleteItem':
        return [onItems(`dynamodb:${operation}`, input.TableName, [input.Key])];
      case 'PutItem':
        return [onItems('dynamodb:PutItem', input.TableName, [input.Item])];
      case 'Query':
        return [onQuery(input)];
      case 'Scan':
        return [
          accessRequest(
            'dynamodb:Scan',
            withIndex(tableArn(tableName(input.TableName)), textMember(input, 'IndexName')),
          ),
        ];
      case 'BatchGetItem':
        return Object.entries(member(input, 'RequestItems')).map(([table, request]) =>
          onItems('dynamodb:BatchGetItem', table, listMember(request, 'Keys')),
        );
      case 'BatchWriteItem':
        return Object.entries(member(input, 'RequestItems')).map(([table, requests]) =>
          onItems('dynamodb:BatchWriteItem', table, [requests].flat().map(writtenItem)),
        );
      case 'TransactGetItems':
      case 'TransactWriteItems':
        return listMember(input, 'TransactItems').flatMap(onTransactionItem);
      case 'ExecuteStatement':
        return [onStatement(input, tableArn)];
      case 'BatchExecuteStatement':
        return listMember(input, 'Statements').map((statement) => onStatement(statement, tableArn));
      case 'ExecuteTransaction':
        return listMember(input, 'TransactStatements').map((statement) => onStatement(statement, tableArn));
      default:
        return [
          accessRequest(
            `dynamodb:${operation}`,
            input.TableName === undefined ? '*' : tableArn(tableName(input.TableName)),
          ),
        ];
    }
  };
}

function withIndex(tableArn: string, index: string): string {
  return index === '' ? tableArn : `${tableArn}/index/${index}`;
}

function writtenItem(request: unknown): unknown {
  const put = member(request, 'PutRequest').Item;
  return put ?? member(request, 'DeleteRequest').Key;
}

/** PartiQL has its keys in a text that is not parsed here, so statements with a condition on leading keys do not allow it. */
function onStatement(input: unknown, tableArn: (name: string) => string): AccessRequest {
  const statement = textMember(input, 'Statement');
  const verb = statement.trim().split(/\s/)[0]?.toLowerCase() ?? '';
  const [, table = '', index = ''] =
    statement.match(/(?:from|into|update)\s+"?([\w.-]+?)"?(?:\."?([\w.-]+)"?)?(?:\s|$)/i) ?? [];
  const action = `dynamodb:PartiQL${verb.charAt(0).toUpperCase()}${verb.slice(1)}`;
  return accessRequest(action, withIndex(tableArn(table), index), { 'dynamodb:LeadingKeys': [unknownLeadingKey] });
}

/** A key attribute as a string, for all three key types of DynamoDB. */
function scalar(attribute: unknown): string {
  const [value] = Object.values(asRecord(attribute));
  return typeof value === 'string' ? value : unknownLeadingKey;
}
