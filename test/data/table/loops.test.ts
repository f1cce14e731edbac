import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { transactionCancelled } from '../../../local/cloud/dynamodb/model/errors.ts';
import { execute } from '../../../local/cloud/dynamodb/model/execute.ts';
import type { Executed } from '../../../local/cloud/dynamodb/model/table-model.ts';
import type { Item } from '../../../local/cloud/dynamodb/model/values.ts';
import { everyStoredResponse } from '../../../shared/data/admin/stored-responses.ts';
import { updateSoldOut } from '../../../shared/data/events/sold-out.ts';
import { everyMember, readMembersIfFew, readPage } from '../../../shared/data/members/list.ts';
import { refreshMembersOfType } from '../../../shared/data/members/refresh.ts';
import { refreshMembersSince } from '../../../shared/data/members/refresh-changed-types.ts';
import { readMembershipConfig } from '../../../shared/data/membership/config.ts';
import { CorrectedTree } from '../../../shared/data/positions/tree/corrected-tree.ts';
import { Contended } from '../../../shared/data/table/failures.ts';
import { endpointStateKey, idempotencyKey, membershipConfigPartition } from '../../../shared/data/table/keys.ts';
import { countItems } from '../../../shared/data/table/query.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { readEndpointState } from '../../../shared/data/webhooks/endpoint-state.ts';
import { planMembers } from '../../../shared/domain/members/filters.ts';
import { readFeed } from '../../../shared/outbox/feed.ts';
import { holdBacklog } from '../../../shared/webhooks/enqueue.ts';
import { stopProbing } from '../../../shared/webhooks/release-backlog.ts';
import { givenEvent, givenPrice, givenPriceCategory } from '../../../tools/fixtures/events.ts';
import { aMember, givenMembers } from '../../../tools/fixtures/members.ts';
import { category, givenConfig, membershipType } from '../../../tools/fixtures/membership.ts';
import { newTableModel, openModelTable } from '../../../tools/fixtures/model-table.ts';

const orgId = 'org_loops';
/** More than any of these loops may make. */
const maxCalls = 500;

/** A table that may change the result of a call, and that stops a loop which does not end by itself. */
function openTable(changed: (run: () => Executed, operation: string, input: Readonly<Item>) => Executed): Table {
  const model = newTableModel();
  const table = openModelTable(
    'model',
    async (operation, input) => {
      if (table.meter.calls > maxCalls) throw new Error('The loop does not end.');
      return changed(() => execute(model, operation, input), operation, input);
    },
    { sleep: async () => {}, random: () => 0 },
  );
  return table;
}

async function countOf(pages: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of pages) count += 1;
  return count;
}

describe('loops over pages end', () => {
  const table = openTable((run, operation) =>
    operation === 'Query' ? { usage: [], output: { Items: [], LastEvaluatedKey: { pk: 'p', sk: 's' } } } : run(),
  );
  const plan = planMembers({});
  const feed = { after: undefined, limit: 10, sinceMs: 0, untilMs: 10_000, nowMs: 100_000 };

  it.each<[string, () => Promise<unknown>, unknown]>([
    ['everyMember', () => countOf(everyMember(table, orgId, plan)), 1],
    ['readPage', () => readPage(table, { orgId, plan, after: undefined, limit: 2 }), { members: [], next: undefined }],
    ['readMembersIfFew', () => readMembersIfFew(table, orgId, plan), []],
    ['readFeed', () => readFeed(table, orgId, feed), { events: [], next: undefined }],
  ])('%s ends at a page without rows, also if DynamoDB says that more follow', async (_name, read, expected) => {
    table.meter.reset();
    expect(await read()).toEqual(expected);
  });
});

describe('loops over attempts end', () => {
  /** Another writer is faster each time. */
  const refusing = () => {
    const reasons = [{ Code: 'ConditionalCheckFailed' }, { Code: 'None' }, { Code: 'None' }];
    return openTable((run, operation, { TransactItems }) =>
      operation === 'TransactWriteItems' && Array.isArray(TransactItems)
        ? { usage: [], error: transactionCancelled(reasons.slice(0, TransactItems.length)) }
        : run(),
    );
  };

  it('an endpoint, a member, sold_out and a configuration that others always change are given up', async () => {
    const ref = { orgId, endpointId: 'we_1' };
    const held = refusing();
    const open = refusing();
    await open.client.send(
      new PutCommand({
        TableName: open.name,
        Item: { ...endpointStateKey(orgId, 'we_1'), openedMs: 1, hintUnix: 5, version: 1 },
      }),
    );
    const members = refusing();
    await givenMembers(members, orgId, [aMember({ typeId: 11, typeTitle: 'Gold' })]);
    const type = { typeId: 11, typeTitle: 'Platinum', categoryId: 1, categoryTitle: 'Adults', seatMapId: null };

    let reads = 0;
    const selling = openTable((run, _operation, { ExpressionAttributeValues: values }) => {
      const executed = run();
      const isStock = JSON.stringify(values ?? {}).includes('STK#');
      if (!isStock || !Array.isArray(executed.output?.Items)) return executed;
      reads += 1;
      return {
        ...executed,
        output: {
          ...executed.output,
          Items: executed.output.Items.map((item) => ({ ...item, avail: (reads + 1) % 2 })),
        },
      };
    });
    const { eventId } = await givenEvent(selling, orgId);
    const { categoryId } = await givenPriceCategory(selling, orgId, { eventId });
    await givenPrice(selling, orgId, { eventId, categoryId, capacity: 1 });

    let titles = 0;
    const configured = openTable((run, operation, { ExpressionAttributeValues: values }) => {
      const executed = run();
      const isConfig = JSON.stringify(values ?? {}).includes(membershipConfigPartition(orgId));
      if (operation !== 'Query' || !isConfig || !Array.isArray(executed.output?.Items)) return executed;
      titles += 1;
      return {
        ...executed,
        output: { ...executed.output, Items: executed.output.Items.map((item) => ({ ...item, title: `${titles}` })) },
      };
    });
    await givenConfig(configured, orgId, category(orgId, 'season'), membershipType(orgId, 'gold'));

    const attempts = [
      holdBacklog({ table: held, clock: { nowMs: () => 1_000 } }, ref, await readEndpointState(held, ref)),
      stopProbing({ table: open, wakeBacklog: async () => {} }, ref),
      refreshMembersOfType(members, orgId, type),
      updateSoldOut(selling, orgId, eventId),
      refreshMembersSince(configured, orgId, await readMembershipConfig(configured, orgId)),
    ];
    for (const attempt of attempts) attempt.catch(() => {});
    for (const attempt of attempts) await expect(attempt).rejects.toBeInstanceOf(Contended);
  });
});

it('a search in a damaged tree ends, whatever the level of its nodes says', async () => {
  const node = { level: 3, children: [{ first: 'a', count: 1, version: 1 }] };
  let reads = 0;
  const tree = new CorrectedTree(node, { added: [], removed: [] }, async () => {
    reads += 1;
    if (reads > 10) throw new Error('The loop does not end.');
    return [node];
  });
  expect(await tree.rankOf('b')).toBe(0);
});

it('an erasure waits for the request that is being executed, but not for those that repeat it', async () => {
  let nowMs = 0;
  const key = idempotencyKey(orgId, 'abcdef0123456789');
  const table = openTable((run, operation) => {
    if (operation !== 'GetItem') return run();
    nowMs += 1_000;
    // Each time, another request has taken the lease.
    return { usage: [], output: { Item: { ...key, leaseUntilUnix: nowMs / 1000 + 2 } } };
  });
  await table.client.send(new PutCommand({ TableName: table.name, Item: { ...key, leaseUntilUnix: 2 } }));
  expect(await countOf(everyStoredResponse(table, orgId, { nowMs: () => nowMs }))).toBe(0);
  expect(nowMs).toBe(3_000);
});

it('a range is counted over all its pages, and no item of it is read', async () => {
  const pages: unknown[] = [];
  const table = openTable((run, operation) => {
    const executed = run();
    if (operation === 'Query') pages.push(executed.output);
    return executed;
  });
  for (const sk of ['1', '2', '3', '4', '5']) {
    await table.client.send(new PutCommand({ TableName: table.name, Item: { pk: 'range', sk } }));
  }
  const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': 'range' }, Limit: 2 };
  expect(await countItems(table, query)).toBe(5);
  expect(pages).toHaveLength(3);
  for (const page of pages) expect(page).not.toHaveProperty('Items');
});
