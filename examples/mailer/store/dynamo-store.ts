import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { keptSeconds, type Open, type Row, type Store } from './store.ts';

/** The index of what is open: `list` and `due`. */
export const openIndex = 'open';

/** One table, with its rows by `name`. A row that nobody needs any more is removed by its `expires`. */
export class DynamoStore implements Store {
  readonly #table: string;
  readonly #client: DynamoDBClient;

  constructor(table: string, client = new DynamoDBClient({})) {
    this.#table = table;
    this.#client = client;
  }

  async read(name: string): Promise<Row | undefined> {
    const { Item } = await this.#client.send(
      new GetItemCommand({ TableName: this.#table, Key: { name: { S: name } }, ConsistentRead: true }),
    );
    return Item && { name, version: Number(Item.version?.N), value: Item.value?.S ?? '' };
  }

  async write({ name, value, open }: { name: string; value: string; open?: Open }, known: number): Promise<boolean> {
    const expires = Math.floor(Date.now() / 1000) + keptSeconds;
    const Item: Record<string, AttributeValue> = {
      name: { S: name },
      version: { N: String(known + 1) },
      value: { S: value },
      // What is open, and an address that bounced, stay.
      ...(open && { list: { S: open.list }, due: { N: String(open.dueMs) } }),
      ...(open === undefined && !name.startsWith('suppressed/') && { expires: { N: String(expires) } }),
    };
    try {
      await this.#client.send(
        new PutItemCommand({
          TableName: this.#table,
          Item,
          ConditionExpression: known === 0 ? 'attribute_not_exists(#name)' : '#version = :known',
          ExpressionAttributeNames: known === 0 ? { '#name': 'name' } : { '#version': 'version' },
          ...(known > 0 && { ExpressionAttributeValues: { ':known': { N: String(known) } } }),
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  async open(list: Open['list'], untilMs: number, limit: number): Promise<readonly string[]> {
    const { Items = [] } = await this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        IndexName: openIndex,
        KeyConditionExpression: '#list = :list AND due <= :until',
        ExpressionAttributeNames: { '#list': 'list' },
        ExpressionAttributeValues: { ':list': { S: list }, ':until': { N: String(untilMs) } },
        Limit: limit,
      }),
    );
    return Items.map((item) => item.name?.S ?? '');
  }
}
