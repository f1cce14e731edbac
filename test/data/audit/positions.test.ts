import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OrderLedger } from '../../../local/demo/order-ledger.ts';
import { auditOrganisationStep } from '../../../shared/data/audit/organisation.ts';
import { type OrganisationPosition, organisationStart } from '../../../shared/data/audit/position.ts';
import { positionedLists } from '../../../shared/data/audit/positioned-lists.ts';
import { auditPositions, positionsStart } from '../../../shared/data/audit/positions.ts';
import { orderPositions } from '../../../shared/data/orders/positions.ts';
import { applyPositionChanges } from '../../../shared/data/positions/apply.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { Finding } from '../../../shared/domain/audit/finding.ts';
import { givenEvent } from '../../../tools/fixtures/events.ts';
import { aMember, givenMembers, someDay } from '../../../tools/fixtures/members.ts';
import { anOrder, someSpan } from '../../../tools/fixtures/orders.ts';
import { creationChange } from '../../../tools/fixtures/position-changes.ts';
import { putItems } from '../../../tools/fixtures/put-items.ts';
import { atOnce } from '../../support/audit.ts';
import { noonUnix } from '../../support/baskets.ts';
import { modelTable } from '../../support/model-table.ts';
import { amount, someOf } from '../../support/thorough.ts';

const orgId = 'org_audited';
/** A step of 500 rows reads them, or 500 orders by their keys, the state three times, and the nodes. */
const callsPerStep = 30;

/** Places orders of random dates. Their keys are not in the tree of all orders, whose leaves have other sizes than a built one. */
async function givenOrders(table: Table, eventId: number, seconds: readonly number[], applied: number): Promise<void> {
  const ledger = new OrderLedger(orgId);
  const orders = seconds.map((second) => ledger.place(anOrder({ eventId, placedUnix: someSpan + second })).order);
  await putItems(
    table,
    [...ledger.items()].filter(({ pk }) => !/^PO[ST]#/.test(pk)),
  );
  const changes = orders.flatMap((order) => creationChange(orgId, 'orders', order.orderId, orderPositions(order)));
  await putItems(table, changes.slice(0, applied));
  await applyPositionChanges(table, { orgId, resource: 'orders' });
  await putItems(table, changes.slice(applied));
}

describe('the audit ends', () => {
  it.each(someOf([520, 700, 1_000], 3))('audit of an organisation with %d orders of random dates', async (count) => {
    const table = modelTable();
    const { eventId } = await givenEvent(table, orgId);
    const [seconds] = fc.sample(fc.array(fc.nat(40 * 86_400), { minLength: count, maxLength: count }), 1);
    await givenOrders(table, eventId, seconds ?? [], count - 20);
    table.meter.reset();
    const findings: Finding[] = [];
    // A step is at least one day of 41, 100 orders or 500 keys, or what there is of another kind.
    const maxSteps = 120;
    let at: OrganisationPosition | undefined = organisationStart;
    for (let steps = 0; at !== undefined; steps += 1) {
      expect(steps).toBeLessThan(maxSteps);
      const step = await auditOrganisationStep(table, orgId, at, { nowUnix: noonUnix, confirmation: atOnce });
      findings.push(...step.findings);
      at = step.next;
    }
    // The event has no prices.
    expect(findings.filter(({ check }) => check !== 'stock')).toEqual([]);
    // For each order: its id and its UUID, its ticket, and its leaves in the trees of orders.
    expect(table.meter.calls).toBeLessThan(callsPerStep * maxSteps + 3 * count);
  });

  it('audit of position trees, in a number of reads in proportion to the rows, whatever the sizes of lists and leaves', async () => {
    const size = fc.oneof(fc.nat(60), fc.integer({ min: 490, max: 510 }), fc.integer({ min: 990, max: 1_010 }));
    const seconds = size.chain((count) => fc.array(fc.nat(90 * 86_400), { minLength: count, maxLength: count }));
    await fc.assert(
      fc.asyncProperty(seconds, size, fc.double({ min: 0, max: 1, noNaN: true }), async (placed, members, share) => {
        const table = modelTable();
        await givenOrders(table, 512, placed, Math.floor(share * placed.length));
        await givenMembers(
          table,
          orgId,
          Array.from({ length: members }, (_, index) => aMember({ createdUnix: someDay + ((index * 7_919) % 1_009) })),
        );
        if (share > 0.5) await applyPositionChanges(table, { orgId, resource: 'members' });
        table.meter.reset();
        const maxSteps = positionedLists.length + (2 * placed.length + 3 * members) / 500;
        let [steps, next] = [0, positionsStart];
        for (; next !== undefined; steps += 1) {
          expect(steps).toBeLessThanOrEqual(maxSteps);
          const step: Awaited<ReturnType<typeof auditPositions>> = await auditPositions(table, orgId, next);
          expect(step.findings).toEqual([]);
          next = step.next;
        }
        expect(table.meter.calls).toBeLessThanOrEqual(callsPerStep * steps);
      }),
      // A thousand orders are slow to shrink. The seed repeats them.
      { numRuns: amount(4, 40), endOnFailure: true },
    );
  });
});
