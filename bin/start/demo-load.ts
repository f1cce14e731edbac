import { BatchWriteCommand, GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { customerItems } from '../../shared/data/customers-items.ts';
import {
  customersPartition,
  membershipConfigPartition,
  membersPartition,
  organisationKey,
  sequenceKey,
} from '../../shared/data/keys.ts';
import { passMemberNumber } from '../../shared/data/member-numbers.ts';
import { memberItems } from '../../shared/data/members-row.ts';
import { configItem } from '../../shared/data/membership-config-rows.ts';
import type { Table } from '../../shared/data/table.ts';
import { type NumberSequence, placeInSequence } from '../../shared/domain/member-number.ts';
import { type DemoData, demoData } from './demo-data.ts';

/** On the organisation's own row: since when its demo data is being loaded, and whether it is there. */
const DemoState = v.object({
  demoDayUnix: v.optional(v.number()),
  demoLoaded: v.optional(v.boolean(), false),
});

/**
 * Fills a demo organisation unless it was filled before or has data of its own. The day is written down first, so that a load
 * that was cut off is repeated with the same dates, the same ids and therefore the same items.
 */
export async function loadDemoData(table: Table, orgId: string, nowUnix: number): Promise<'loaded' | 'kept'> {
  const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key: organisationKey(orgId) }));
  const { demoDayUnix, demoLoaded } = v.parse(DemoState, Item ?? {});
  if (demoLoaded) return 'kept';
  if (demoDayUnix === undefined && (await hasData(table, orgId))) {
    await remember(table, orgId, 'SET demoLoaded = :value', true);
    return 'kept';
  }
  const today = demoDayUnix ?? nowUnix - (nowUnix % 86_400);
  const data = demoData(orgId, today);
  if (data === undefined) return 'kept';
  await remember(table, orgId, 'SET demoDayUnix = :value', today);
  await writeAll(table, itemsOf(orgId, data));
  await countMembers(table, orgId, data.members.length);
  for (const place of highestNumber(data.members)) await passMemberNumber(table, orgId, place);
  await remember(table, orgId, 'SET demoLoaded = :value', true);
  return 'loaded';
}

async function hasData(table: Table, orgId: string): Promise<boolean> {
  const partitions = [membershipConfigPartition(orgId), customersPartition(orgId), membersPartition(orgId)];
  for (const pk of partitions) {
    const { Count = 0 } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
        Limit: 1,
        Select: 'COUNT',
      }),
    );
    if (Count > 0) return true;
  }
  return false;
}

async function remember(table: Table, orgId: string, expression: string, value: unknown): Promise<void> {
  await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: organisationKey(orgId),
      UpdateExpression: expression,
      ExpressionAttributeValues: { ':value': value },
    }),
  );
}

/** Set, not added: a load that is repeated counts its members once. */
async function countMembers(table: Table, orgId: string, members: number): Promise<void> {
  await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: sequenceKey(orgId),
      UpdateExpression: 'SET members = :members',
      ExpressionAttributeValues: { ':members': members },
    }),
  );
}

/** Whoever is created later gets a number after those of the demo. */
function highestNumber(members: DemoData['members']): NumberSequence[] {
  const places = members.flatMap(({ memberNumber }) => placeInSequence(memberNumber ?? '') ?? []);
  return places.sort((a, b) => b.last - a.last).slice(0, 1);
}

/** What the write functions would have made of the same records, one by one. */
function itemsOf(orgId: string, { config, customers, members }: DemoData): Record<string, unknown>[] {
  return [
    ...config.map((record) => configItem(orgId, record, { version: 1, membersOutdated: false })),
    ...members.flatMap((record) => memberItems(orgId, record)),
    ...customers.flatMap((record) => customerItems(orgId, record)),
  ];
}

const itemsPerBatch = 25;
/** DynamoDB Local writes one item after the other; more would only wait for each other, on disk for long. */
const concurrency = 2;

async function writeAll(table: Table, items: readonly Record<string, unknown>[]): Promise<void> {
  const batches = Array.from({ length: Math.ceil(items.length / itemsPerBatch) }, (_, index) =>
    items.slice(index * itemsPerBatch, (index + 1) * itemsPerBatch),
  ).values();
  const work = async (): Promise<void> => {
    for (const batch of batches) await writeBatch(table, batch);
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

async function writeBatch(table: Table, batch: readonly Record<string, unknown>[]): Promise<void> {
  let left = batch.map((Item) => ({ PutRequest: { Item } }));
  while (left.length > 0) {
    const { UnprocessedItems = {} } = await table.client.send(
      new BatchWriteCommand({ RequestItems: { [table.name]: left } }),
    );
    left = (UnprocessedItems[table.name] ?? []).flatMap(({ PutRequest }) =>
      PutRequest?.Item === undefined ? [] : [{ PutRequest: { Item: PutRequest.Item } }],
    );
  }
}
