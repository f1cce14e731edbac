import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { listCustomers } from '../../../shared/data/customers/list.ts';
import { saveCustomer } from '../../../shared/data/customers/save.ts';
import { listEvents } from '../../../shared/data/events/list.ts';
import { saveEvent } from '../../../shared/data/events/save.ts';
import { readNumberedPage } from '../../../shared/data/members/list-by-page.ts';
import { applyPositionChanges } from '../../../shared/data/positions/apply.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { CustomerRecord } from '../../../shared/domain/customers/customer.ts';
import { type EventRecord, eventSortKey } from '../../../shared/domain/events/event.ts';
import { planMembers } from '../../../shared/domain/members/filters.ts';
import { customerOrders } from '../../support/customer-lists.ts';
import { modelList, modelPage } from '../../support/customer-model.ts';
import { someSecond } from '../../support/customers.ts';
import { anEvent, kickOffUnix } from '../../support/events.ts';
import { aMember, savedMember, someDay } from '../../support/members.ts';
import { createTestTable } from '../../support/table.ts';

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
      { numRuns: 3, endOnFailure: true },
    );
  });

  it('list-events of every status: any page is that of the list as it is, in parallel', async () => {
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
          startUnix: kickOffUnix + ((index * 7 + round) % 11),
        });
        const { event } = await saveEvent(table, orgId, draft);
        present.set(event.eventId, event);
      }
      if (round % 2 === 1) await applyPositionChanges(table, { orgId, resource: 'events' });
      const requests = ([undefined, 0, 1, 2, 3] as const).flatMap((statusId) =>
        pagesOf(50, 7, round).map((page) => ({ statusId, page })),
      );
      await Promise.all(
        requests.map(async ({ statusId, page }) => {
          const expected = [...present.values()]
            .filter((event) => (statusId === undefined ? event.statusId !== 2 : event.statusId === statusId))
            .sort((one, other) => (eventSortKey(one) < eventSortKey(other) ? 1 : -1))
            .slice((page - 1) * 7);
          const listing = { orgId, statusId, search: undefined, page, limit: 7 };
          expect(await listEvents(table, listing)).toEqual({
            events: expected.slice(0, 7),
            hasMore: expected.length > 7,
          });
        }),
      );
    }
  });

  it('list-members without a filter, or by time of creation: any page is that of the list as it is', async () => {
    const orgId = 'org_members';
    const present: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      for (let index = 0; index < 15; index += 1) {
        const { memberId: _id, version: _version, ...fields } = aMember({ createdUnix: someDay + ((index * 7) % 11) });
        const number = `M${(round * 15 + index) % 40}`;
        const { member } = await savedMember(table, orgId, { ...fields, memberNumber: number }, someDay);
        if (!present.includes(member.memberId)) present.push(member.memberId);
      }
      if (round === 1) await applyPositionChanges(table, { orgId, resource: 'members' });
      for (const filters of [{}, { createdSince: someDay + 2 }, { createdSince: someDay, createdUntil: someDay + 8 }]) {
        const plan = planMembers(filters);
        const expected = present
          .filter((id) => id >= Number(plan.from) && id <= Number(plan.to))
          .sort((one, other) => one - other);
        const pages = [9, 3, 1, 2, 5];
        const shown = await Promise.all(pages.map((page) => readNumberedPage(table, { orgId, plan, limit: 4, page })));
        expect(shown.map(({ members }) => members.map(({ memberId }) => memberId))).toEqual(
          pages.map((page) => expected.slice((page - 1) * 4, page * 4)),
        );
        expect(shown.map(({ next }) => next !== undefined)).toEqual(pages.map((page) => expected.length > page * 4));
      }
    }
  });
});
