import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { listCustomers } from '../../../shared/data/customers/list.ts';
import { saveCustomer } from '../../../shared/data/customers/save.ts';
import { listEvents } from '../../../shared/data/events/list.ts';
import { saveEvent } from '../../../shared/data/events/save.ts';
import { readNumberedPage } from '../../../shared/data/members/list-by-page.ts';
import type { MemberRecord } from '../../../shared/data/members/row.ts';
import { applyPositionChanges } from '../../../shared/data/positions/apply.ts';
import { positionNodeKey } from '../../../shared/data/table/keys.ts';
import { openTable, type Table } from '../../../shared/data/table/table.ts';
import type { CustomerRecord } from '../../../shared/domain/customers/customer.ts';
import { type EventRecord, eventSortKey } from '../../../shared/domain/events/event.ts';
import { type MemberFilters, memberSortKey, planMembers } from '../../../shared/domain/members/filters.ts';
import { someSecond } from '../../../tools/fixtures/customers.ts';
import { anEvent, kickOffUnix } from '../../../tools/fixtures/events.ts';
import { aMember, savedMember, someDay } from '../../../tools/fixtures/members.ts';
import { customerOrders } from '../../support/customer-lists.ts';
import { modelList, modelPage } from '../../support/customer-model.ts';
import { createTestTable, testClientConfig } from '../../support/table.ts';
import { amount, longTest } from '../../support/thorough.ts';

let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
});

const names = ['Anna', 'anna', 'Ånna', 'Müller', 'Mueller', '李小龍', '😀', '', null];
const choice = fc.nat(999);
/** Some pages of a list, in any order. */
const pagesOf = (count: number, limit: number, seed: number): number[] =>
  [0, 1, 2, 3].map((step) => 1 + ((seed + step * 7) % (Math.ceil(count / limit) + 2)));

async function saveSome(orgId: string, round: number, choices: readonly number[]): Promise<CustomerRecord[]> {
  const customers: CustomerRecord[] = [];
  for (const one of choices) {
    const draft = {
      orgCustomerId: `C${one % 40}`,
      firstName: names[one % names.length],
      lastName: names[(one + round) % names.length],
      emailAddress: `${one % 7}@example.com`,
    };
    const saved = await saveCustomer(table, orgId, draft, someSecond + (one % 9));
    if ('customer' in saved) customers.push(saved.customer);
  }
  return customers;
}

async function saveMembers(orgId: string, round: number): Promise<MemberRecord[]> {
  const members: MemberRecord[] = [];
  for (let index = 0; index < 60; index += 1) {
    const changes = {
      createdUnix: someDay + ((index * 7) % 11),
      statusId: index % (2 + round) === 0 ? 3 : 1,
      typeId: index % 5 === round ? 12 : 11,
      seatMapId: index % 4 === round ? null : 21,
      fulfilled: index % 3 === round ? 'no' : 'yes',
    } as const;
    const { memberId: _id, version: _version, ...fields } = aMember(changes);
    const memberNumber = `M${(round * 20 + index) % 110}`;
    members.push((await savedMember(table, orgId, { ...fields, memberNumber }, someDay + round)).member);
  }
  return members;
}

describe('numbered pages while rows are created and changed, and their positions are applied now and then', () => {
  it('list-customers in every order: any page is that of the list as it is, in parallel', async () => {
    let organisations = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(choice, { minLength: 15, maxLength: 15 }), { minLength: 3, maxLength: 3 }),
        async (rounds) => {
          organisations += 1;
          const orgId = `org_pages${organisations}`;
          const present = new Map<number, CustomerRecord>();
          for (const [round, choices] of rounds.entries()) {
            for (const saved of await saveSome(orgId, round, choices)) present.set(saved.userId, saved);
            if (round === 1) await applyPositionChanges(table, { orgId, resource: 'customers' });
            const limit = 3 + ((choices[0] ?? 0) % 5);
            const requests = customerOrders.flatMap(({ sort, descending }) => {
              const updatedSince = sort === 'updated' && round === 1 ? someSecond + 2 : undefined;
              const listing = { sort, descending, search: undefined, updatedSince };
              const expected = modelList([...present.values()], listing);
              return pagesOf(expected.length, limit, choices[1] ?? 0).map((page) => ({ listing, expected, page }));
            });
            await Promise.all(
              requests.map(async ({ listing, expected, page }) => {
                const shown = await listCustomers(table, { ...listing, orgId, page, limit });
                expect(shown, JSON.stringify({ listing, page, limit })).toEqual(modelPage(expected, page, limit));
              }),
            );
          }
        },
      ),
      { numRuns: amount(1, 3), endOnFailure: true },
    );
  });

  it('fifty customers are created while positions are applied: no transaction is cancelled, and no customer is missing', async () => {
    const orgId = 'org_creates';
    const watched = openTable(table.name, testClientConfig());
    const cancelled: unknown[] = [];
    watched.client.middlewareStack.add(
      (next) => (args) =>
        next(args).catch((error: unknown) => {
          cancelled.push(error);
          throw error;
        }),
      { step: 'initialize' },
    );
    const creates = Array.from({ length: 50 }, (_, index) =>
      saveCustomer(watched, orgId, { orgCustomerId: `C${index}`, firstName: `N${index}` }, someSecond + (index % 5)),
    );
    let isDone = false;
    const applying = (async () => {
      while (!isDone) await applyPositionChanges(watched, { orgId, resource: 'customers' });
    })();
    await Promise.all(creates).finally(() => {
      isDone = true;
    });
    await applying;
    expect(cancelled).toEqual([]);
    for (const { sort, descending } of customerOrders) {
      const listing = { orgId, sort, descending, search: undefined, updatedSince: undefined, page: 6, limit: 9 };
      expect(await listCustomers(table, listing)).toMatchObject({ hasMore: false, customers: { length: 5 } });
    }
  });

  it('list-customers reads the rows if the tree cannot be read', async () => {
    const orgId = 'org_unreadable';
    for (let index = 0; index < 40; index += 1) {
      await saveCustomer(table, orgId, { orgCustomerId: `C${index}`, firstName: `N${index}` }, someSecond);
    }
    await applyPositionChanges(table, { orgId, resource: 'customers' });
    const read = () =>
      listCustomers(table, {
        orgId,
        sort: 'first',
        descending: false,
        search: undefined,
        updatedSince: undefined,
        page: 4,
        limit: 10,
      });
    const before = await read();
    expect(before.customers).toHaveLength(10);
    // A node of another version: the trees seem to change all the time.
    const Key = positionNodeKey(orgId, 'customers', 'first', 'root');
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key,
        UpdateExpression: 'SET v = :other',
        ExpressionAttributeValues: { ':other': 999 },
      }),
    );
    expect(await read()).toEqual(before);
  });

  it('list-events of every status and of the catalogue: any page is that of the list as it is, in parallel', async () => {
    const orgId = 'org_events';
    const present = new Map<number, EventRecord>();
    for (let round = 0; round < 4; round += 1) {
      for (let index = 0; index < 30; index += 1) {
        const statusId = ([0, 1, 2, 3] as const)[(index * (round + 1)) % 4] ?? 1;
        const draft = anEvent({
          code: `e${(index + round * 10) % 50}`,
          title: 'Match',
          urlString: 'match',
          statusId,
          publicEvent: (index + round) % 3 > 0,
          startUnix: kickOffUnix + ((index * 7 + round) % 11),
        });
        const { event } = await saveEvent(table, orgId, draft);
        present.set(event.eventId, event);
      }
      if (round % 2 === 1) await applyPositionChanges(table, { orgId, resource: 'events' });
      const filters = [
        ...([undefined, 0, 1, 2, 3] as const).map((statusId) => ({ statusId, inCatalogue: false })),
        { statusId: undefined, inCatalogue: true },
      ];
      const requests = filters.flatMap((filter) => pagesOf(50, 7, round).map((page) => ({ filter, page })));
      await Promise.all(
        requests.map(async ({ filter: { statusId, inCatalogue }, page }) => {
          const isListed = (event: EventRecord): boolean =>
            statusId === undefined ? event.statusId !== 2 : event.statusId === statusId;
          const expected = [...present.values()]
            .filter((event) => (inCatalogue ? event.statusId === 1 && event.publicEvent : isListed(event)))
            .sort((one, other) => (eventSortKey(one) < eventSortKey(other) ? 1 : -1))
            .slice((page - 1) * 7);
          const listing = { orgId, statusId, inCatalogue, search: undefined, page, limit: 7 };
          expect(await listEvents(table, listing)).toEqual({
            events: expected.slice(0, 7),
            hasMore: expected.length > 7,
          });
        }),
      );
    }
  });

  longTest('list-members with at most one filter: any page is that of the list as it is', async () => {
    const orgId = 'org_members';
    const present = new Map<number, MemberRecord>();
    const filters: MemberFilters[] = [
      {},
      { createdSince: someDay + 2 },
      { createdSince: someDay, createdUntil: someDay + 8 },
      { updatedSince: someDay + 1 },
      { updatedUntil: someDay + 3 },
      { statusId: 1 },
      { statusId: 3 },
      { typeId: 11 },
      { fulfilled: 'yes' },
      { seatMapId: 21, createdSince: someDay + 1 },
    ];
    for (let round = 0; round < 4; round += 1) {
      for (const member of await saveMembers(orgId, round)) present.set(member.memberId, member);
      if (round % 2 === 1) await applyPositionChanges(table, { orgId, resource: 'members' });
      const requests = filters.flatMap((one) => [4, 9, 30].map((limit) => ({ plan: planMembers(one), limit })));
      await Promise.all(
        requests.map(async ({ plan, limit }) => {
          const expected = [...present.values()]
            .filter(plan.matches)
            .sort((one, other) => (memberSortKey(plan, one) < memberSortKey(plan, other) ? -1 : 1));
          const page = 1 + Math.ceil((expected.length * (round + 1)) / (5 * limit));
          const shown = await readNumberedPage(table, { orgId, plan, limit, page });
          expect(shown.members).toEqual(expected.slice((page - 1) * limit, page * limit));
          expect(shown.next !== undefined).toBe(expected.length > page * limit);
        }),
      );
    }
    expect(await applyPositionChanges(table, { orgId, resource: 'members' })).toMatchObject({ inapplicable: 0 });
  });
});
