import { DeleteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import {
  type Consent,
  type ConsentChannel,
  type ConsentSource,
  type CurrentConsents,
  noConsents,
} from '../../domain/customers/consents.ts';
import { given } from '../../domain/given.ts';
import { idText } from '../../domain/ids.ts';
import { batchGet } from '../table/batch-get.ts';
import { getItem } from '../table/get-item.ts';
import { type ItemKey, partition } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import { carried, openEnum, row } from '../table/row.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

const StoredConsent = row({
  about: v.string(),
  by: openEnum<ConsentChannel>(),
  given: v.boolean(),
  text: v.optional(v.string()),
  from: openEnum<ConsentSource>(),
  at: v.number(),
  order: v.optional(v.number()),
});
const StoredCurrent = row({ consents: v.array(StoredConsent), v: v.number() });

const consentsPartition = (orgId: string, userId: number): string => partition('CNS', orgId, idText(userId));
/** What counts now. The history is in the same partition, behind it. */
const currentConsentsKey = (orgId: string, userId: number): ItemKey => ({
  pk: consentsPartition(orgId, userId),
  sk: '#',
});

/** What counts now of a customer. */
export async function readCurrentConsents(table: Table, orgId: string, userId: number): Promise<CurrentConsents> {
  const item = await getItem(table, currentConsentsKey(orgId, userId), { consistent: true });
  return item === undefined ? noConsents : parsedCurrent(item);
}

/** What counts now of several customers, by their user id: for the audit, which looks again at what it finds. */
export async function currentConsentsOf(
  table: Table,
  orgId: string,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, CurrentConsents>> {
  const keys = userIds.map((userId) => currentConsentsKey(orgId, userId));
  const items = await batchGet(table, keys, { consistent: false });
  const byPartition = new Map(items.map((item) => [item.pk, item]));
  return new Map(
    userIds.flatMap((userId) => {
      const item = byPartition.get(consentsPartition(orgId, userId));
      return item === undefined ? [] : [[userId, parsedCurrent(item)] as const];
    }),
  );
}

function parsedCurrent(item: unknown): CurrentConsents {
  const stored = v.parse(StoredCurrent, item);
  return { ...carried(stored), consents: stored.consents.map(parsedConsent), version: stored.v };
}

interface ConsentPage {
  readonly consents: readonly Consent[];
  /** The position after which the next page begins; undefined if there is none. */
  readonly next: string | undefined;
}

/** The history of a customer, the newest first. */
export async function listConsents(
  table: Table,
  orgId: string,
  { userId, after, limit }: { readonly userId: number; readonly after: string | undefined; readonly limit: number },
): Promise<ConsentPage> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      // What counts now sorts before the history.
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':pk': consentsPartition(orgId, userId),
        ':from': historyPrefix,
        // The page begins below the last row of the one before, which is read again.
        ':to': after ?? endOfHistory,
      },
      ConsistentRead: true,
      ScanIndexForward: false,
      Limit: limit + 2,
    }),
  );
  const rows = Items.filter(({ sk }) => sk !== after);
  const page = rows.slice(0, limit);
  const next = rows.length > limit ? String(page.at(-1)?.sk) : undefined;
  return { consents: page.map((item) => parsedConsent(v.parse(StoredConsent, item))), next };
}

/** The whole history of a customer, the oldest first. */
export async function everyConsent(table: Table, orgId: string, userId: number): Promise<readonly Consent[]> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': consentsPartition(orgId, userId), ':prefix': historyPrefix },
    ConsistentRead: true,
  });
  return items.map((item) => parsedConsent(v.parse(StoredConsent, item)));
}

const historyPrefix = 'H#';
const endOfHistory = 'H$';

/** A consent never changes: its row is written once. The rows of a checkout have its order, so a repeated attempt finds them. */
function consentItem(
  orgId: string,
  userId: number,
  consent: Consent,
  index: number,
): ItemKey & Record<string, unknown> {
  const { atMs, orderId } = consent;
  const sk = `${historyPrefix}${idText(atMs)}#${orderId === null ? '' : idText(orderId)}#${String(index).padStart(2, '0')}`;
  return { pk: consentsPartition(orgId, userId), sk, ...storedConsent(consent) };
}

interface ConsentChange {
  readonly userId: number;
  readonly before: CurrentConsents;
  readonly after: CurrentConsents;
  readonly added: readonly Consent[];
}

/** The writes of new consents, on the condition that no other was added since what counts was read. */
export function consentWrites(
  table: Table,
  orgId: string,
  { userId, before, after, added }: ConsentChange,
): TransactItem[] {
  const known =
    before.version === 0
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : { ConditionExpression: 'v = :v', ExpressionAttributeValues: { ':v': before.version } };
  const current = {
    ...carried(before),
    ...currentConsentsKey(orgId, userId),
    consents: after.consents.map(storedConsent),
    v: after.version,
  };
  return [
    { label: 'current', Put: { TableName: table.name, Item: current, ...known } },
    ...added.map((consent, index) => ({
      label: 'consent',
      Put: {
        TableName: table.name,
        Item: consentItem(orgId, userId, consent, index),
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    })),
  ];
}

/** Deletes all consents of a customer, and returns how many rows there were. What counts goes last: until then a repeated erasure finds the rest. */
export async function deleteConsents(table: Table, orgId: string, userId: number): Promise<number> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': consentsPartition(orgId, userId) },
    ConsistentRead: true,
  });
  for (const { pk, sk } of items.toReversed()) {
    await table.client.send(new DeleteCommand({ TableName: table.name, Key: { pk, sk } }));
  }
  return items.length;
}

function storedConsent(consent: Consent): Record<string, unknown> {
  const stored: v.InferInput<typeof StoredConsent> = {
    about: consent.purpose,
    by: consent.channel,
    given: consent.given,
    text: consent.textVersion ?? undefined,
    from: consent.source,
    at: consent.atMs,
    order: consent.orderId ?? undefined,
  };
  return { ...carried(consent), ...given(stored) };
}

function parsedConsent(stored: v.InferOutput<typeof StoredConsent>): Consent {
  return {
    ...carried(stored),
    purpose: stored.about,
    channel: stored.by,
    given: stored.given,
    textVersion: stored.text ?? null,
    source: stored.from,
    atMs: stored.at,
    orderId: stored.order ?? null,
  };
}
