import { beforeAll, describe, expect, it } from 'vitest';
import { customerPositions } from '../../../shared/data/customers/positions.ts';
import { saveCustomer } from '../../../shared/data/customers/save.ts';
import { changeEvent, saveEvent } from '../../../shared/data/events/save.ts';
import { changeMember } from '../../../shared/data/members/change.ts';
import { memberPositions } from '../../../shared/data/members/positions.ts';
import { memberItems } from '../../../shared/data/members/row.ts';
import { changeTickets } from '../../../shared/data/orders/change-tickets.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import { applyPositionChanges } from '../../../shared/data/positions/apply.ts';
import { builtPositionItems } from '../../../shared/data/positions/build.ts';
import type { Trees } from '../../../shared/data/positions/tree/stored.ts';
import { readAllChanges } from '../../../shared/data/positions/tree/waiting-changes.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { orderRecords } from '../../../shared/domain/orders/order.ts';
import { aCustomer, someSecond } from '../../../tools/fixtures/customers.ts';
import { anEvent } from '../../../tools/fixtures/events.ts';
import { aMember, savedMember, someDay } from '../../../tools/fixtures/members.ts';
import { anOrder, aTicket } from '../../../tools/fixtures/orders.ts';
import { putItems } from '../../../tools/fixtures/put-items.ts';
import { watchedTable } from '../../support/cost/transacted-units.ts';
import { createTestTable } from '../../support/table.ts';
import { longTest } from '../../support/thorough.ts';

let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** What the position changes of some writes cost, one entry for each. */
async function positionUnits(work: (watched: Table) => Promise<unknown>): Promise<readonly number[]> {
  const { watched, writes } = watchedTable(table);
  await work(watched);
  return (await writes()).filter(({ kind }) => kind === 'POS').map(({ units }) => units);
}

/** The write units for each change when the waiting changes are applied. */
async function appliedUnits(trees: Trees, count: number): Promise<number> {
  const { watched, writes, transactions } = watchedTable(table);
  expect(await applyPositionChanges(watched, trees)).toEqual({ applied: count, inapplicable: 0 });
  for (const items of transactions) expect(items.length).toBeLessThanOrEqual(100);
  const units = (await writes()).reduce((sum, write) => sum + write.units, 0);
  // The deletion of a change is one unit more.
  return units / count + 1;
}

const ada = {
  orgCustomerId: 'C-1',
  firstName: 'Adalbert Maximilian',
  lastName: 'von Kowalczyk-Nowakowska',
  emailAddress: 'adalbert.kowalczyk.nowakowska@a-rather-long-name.example.com',
};

describe('write units of positions', () => {
  it('a new or changed customer costs two more, and a save that changes nothing none', async () => {
    let nowUnix = someSecond;
    const save = (draft: object) => async (watched: Table) => {
      nowUnix += 1;
      await saveCustomer(watched, 'org_units', { ...ada, ...draft }, nowUnix);
    };
    expect(await positionUnits(save({}))).toEqual([2]);
    expect(await positionUnits(save({ mobileNumber: '0412 345 678' }))).toEqual([2]);
    expect(await positionUnits(save({ mobileNumber: '0412 345 678' }))).toEqual([]);
  });

  it('a new member costs two more and two for its words, and one whose filtered fields change two', async () => {
    const { memberId: _, version: __, ...fields } = aMember({ createdUnix: someDay, typeId: 11, seatMapId: 21 });
    const save = (watched: Table) => savedMember(watched, 'org_units', { ...fields, memberNumber: '1' }, someDay);
    expect(await positionUnits(save)).toEqual([2, 2]);
    expect(await positionUnits(save)).toEqual([]);
    const { member } = await save(table);
    const rule = { orgId: 'org_units', memberId: member.memberId, nowUnix: someDay + 1 };
    const changed = (watched: Table) => changeMember(watched, { ...rule, change: () => ({ statusId: 3 }) });
    expect(await positionUnits(changed)).toEqual([2]);
  });

  it('an event costs two more if its start or its status changes', async () => {
    const draft = anEvent({ code: 'units' });
    const save = (changes: object) => (watched: Table) => saveEvent(watched, 'org_units', { ...draft, ...changes });
    expect(await positionUnits(save({}))).toEqual([2]);
    expect(await positionUnits(save({ venueName: 'Another' }))).toEqual([]);
    expect(await positionUnits(save({ statusId: 3 }))).toEqual([2]);
    const { event } = await saveEvent(table, 'org_units', draft);
    const soldOut = (watched: Table) =>
      changeEvent(watched, 'org_units', event.eventId, (before) => ({ ...before, soldOut: true }));
    expect(await positionUnits(soldOut)).toEqual([]);
  });

  it('an order costs two more, and two if its status changes', async () => {
    const placed = anOrder({ tickets: [aTicket(), aTicket()] });
    const refund = (tickets: readonly number[]) => (watched: Table) =>
      changeTickets(watched, { orgId: 'org_units', orderId: placed.orderId }, { tickets, to: 'refunded' });
    expect(await positionUnits((watched) => writeOrder(watched, 'org_units', placed))).toEqual([2]);
    const [first, second] = orderRecords(placed).tickets.map(({ ticketId }) => ticketId);
    expect(await positionUnits(refund([first ?? 0]))).toEqual([]);
    expect(await positionUnits(refund([second ?? 0]))).toEqual([2]);
  });

  longTest(
    'fulfilments of members are applied for at most 15 write units each, wherever the members are in the list',
    async () => {
      const trees: Trees = { orgId: 'org_fulfil', resource: 'members' };
      const members = Array.from({ length: 5_000 }, (_, index) =>
        aMember({ createdUnix: someDay + index, typeId: 11 }),
      );
      const changing = members.filter((_, index) => index % 100 === 0);
      await putItems(table, [
        ...builtPositionItems(trees, members.map(memberPositions)),
        ...changing.flatMap((member) => memberItems(trees.orgId, member)),
      ]);
      for (const { memberId } of changing) {
        const rule = { orgId: trees.orgId, memberId, nowUnix: someDay + 100_000 };
        await changeMember(table, { ...rule, change: () => ({ fulfilled: 'yes' }) });
      }
      expect(await appliedUnits(trees, changing.length)).toBeLessThanOrEqual(15);
    },
  );

  longTest('changes are applied for at most 15 write units each, where every name is another', async () => {
    const trees: Trees = { orgId: 'org_apply', resource: 'customers' };
    const customers = Array.from({ length: 5_000 }, (_, index) =>
      aCustomer({
        firstName: `First${(index * 7_919) % 5_003}`,
        lastName: `Kowalczyk${(index * 104_729) % 5_003}`,
        emailAddress: `fan${(index * 1_299_709) % 5_003}@example.com`,
      }),
    );
    await putItems(table, [...builtPositionItems(trees, customers.slice(0, 4_950).map(customerPositions))]);
    for (const { userId, ...fields } of customers.slice(4_950)) {
      await saveCustomer(table, trees.orgId, { ...fields, orgCustomerId: String(userId) }, someSecond + 100_000);
    }
    expect(await appliedUnits(trees, 50)).toBeLessThanOrEqual(15);
    expect((await readAllChanges(table, trees)).pending).toEqual([]);
  });
});
