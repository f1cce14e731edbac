import {
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { isItem } from '../../local/cloud/dynamodb/model/values.ts';
import type { Table } from '../../shared/data/table/table.ts';

type Values = Readonly<Record<string, unknown>>;

/** A call that an operation made: what it sent, and how many rows it returned. */
export interface SentCall {
  readonly command: string;
  readonly input: Values;
  readonly rows: number;
}

/** Runs the work and returns the calls of the table's client. Use a client of its own: the recording stays on it. */
export async function callsOf(table: Table, work: () => Promise<unknown>): Promise<readonly SentCall[]> {
  const calls: SentCall[] = [];
  table.client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const result = await next(args);
        const rows = 'Items' in result.output ? (result.output.Items?.length ?? 0) : 0;
        calls.push({ command: commandName, input: { ...args.input }, rows });
        return result;
      },
    { step: 'initialize', name: 'recordSentCalls' },
  );
  await work();
  return calls;
}

/**
 * Sends recorded calls again, one after the other, with the SDK's own client as it is delivered, converts what they return, and
 * serializes it. That is what any handler in JavaScript has to do for the same rows.
 */
export function bareRepeat(endpoint: string, calls: readonly SentCall[]): () => Promise<string> {
  const credentials = { accessKeyId: 'bench', secretAccessKey: 'bench' };
  const client = new DynamoDBClient({ endpoint, region: 'eu-west-1', credentials });
  return async () => {
    const results: unknown[] = [];
    for (const call of calls) results.push(await send(client, call));
    return JSON.stringify(results);
  };
}

async function send(client: DynamoDBClient, { command, input }: SentCall): Promise<unknown> {
  switch (command) {
    case 'QueryCommand': {
      const { Items = [] } = await client.send(new QueryCommand(marshalled(input)));
      return Items.map((item) => unmarshall(item));
    }
    case 'GetItemCommand': {
      const { Item = {} } = await client.send(new GetItemCommand(marshalled(input)));
      return unmarshall(Item);
    }
    case 'UpdateItemCommand': {
      const { Attributes = {} } = await client.send(new UpdateItemCommand(marshalled(countingNothing(input))));
      return unmarshall(Attributes);
    }
    case 'PutItemCommand': {
      await client.send(new PutItemCommand(marshalled(input)));
      return null;
    }
    default:
      throw new Error(`The bare client does not repeat ${command}.`);
  }
}

/** The repeats add nothing to the count of requests: they would use up the limit of the operation's own requests. */
function countingNothing({ ExpressionAttributeValues, ...rest }: Values): Values {
  return {
    ...rest,
    ExpressionAttributeValues: { ...(isItem(ExpressionAttributeValues) && ExpressionAttributeValues), ':one': 0 },
  };
}

function marshalled(input: Values): never {
  const { Item, Key, ExpressionAttributeValues, ...rest } = input;
  const converted = {
    ...rest,
    ...(Item !== undefined && { Item: marshall(Item) }),
    ...(Key !== undefined && { Key: marshall(Key) }),
    ...(ExpressionAttributeValues !== undefined && {
      ExpressionAttributeValues: marshall(ExpressionAttributeValues),
    }),
  };
  return converted as never;
}
