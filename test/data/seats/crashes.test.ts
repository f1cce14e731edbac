import { beforeAll, expect, it } from 'vitest';
import { blockSeats } from '../../../shared/catalogue/seat-blocks.ts';
import { auditSeats } from '../../../shared/data/audit/seats.ts';
import { moveTicketSeat } from '../../../shared/data/orders/move-seat.ts';
import { findOrderRef } from '../../../shared/data/orders/read.ts';
import { deleteSeatBlock, everySeatBlock, releaseOverdueBlocks } from '../../../shared/data/seats/blocks.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { noSideEffects } from '../../../shared/data/table/transact.ts';
import { aSeatMap } from '../../../tools/fixtures/seat-maps.ts';
import { checkOutWith, newCheckoutDeps, type TestCheckoutDeps } from '../../support/baskets.ts';
import { crashingTable } from '../../support/faults/faulty-table.ts';
import { givenSeatedEvent, givenSeats, rowsNow } from '../../support/seats.ts';
import { createTestTable } from '../../support/table.ts';
import { crashMoments } from '../../support/thorough.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const hall = aSeatMap([
  { row: 'A', seats: '1-8' },
  { row: 'B', seats: '1-8' },
]);

const releaseSeconds = 100;

function block(deps: TestCheckoutDeps, eventId: number, seats: readonly string[]) {
  const times = { createdUnix: deps.nowUnix, releaseUnix: deps.nowUnix + releaseSeconds };
  return blockSeats(deps.table, deps.orgId, { eventId, seats, reason: null, ...times }, noSideEffects);
}

async function move({ table: own, orgId, nowUnix }: TestCheckoutDeps, { orderId }: Given, seat: string) {
  const ref = await findOrderRef(own, orgId, String(orderId));
  if (ref === undefined) throw new Error('There is no order.');
  return moveTicketSeat(own, orgId, { ref, ticketId: orderId + 1, map: hall, seat, atUnix: nowUnix });
}

interface Given {
  readonly eventId: number;
  /** It has A1 and A2. */
  readonly orderId: number;
  /** It has B1 and B2. */
  readonly blockId: number;
}

interface Work {
  readonly what: string;
  readonly work: (deps: TestCheckoutDeps, given: Given) => Promise<unknown>;
  /** The rows before and after the work. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const [start, sold] = [
  ['xx......', 'xx......'],
  ['xx......', '........'],
];

const works: readonly Work[] = [
  {
    what: 'blocking seats of two rows',
    work: (deps, { eventId }) => block(deps, eventId, ['Stalls/A/5', 'Stalls/B/5', 'Stalls/B/6']),
    before: start,
    after: ['xx..x...', 'xx..xx..'],
  },
  {
    what: 'deleting a block',
    work: ({ table: own, orgId }, ref) => deleteSeatBlock(own, orgId, ref),
    before: start,
    after: sold,
  },
  {
    what: 'moving a ticket within its row',
    work: (deps, given) => move(deps, given, 'Stalls/A/8'),
    before: start,
    after: ['.x.....x', 'xx......'],
  },
  {
    what: 'moving a ticket to another row',
    work: (deps, given) => move(deps, given, 'Stalls/B/8'),
    before: start,
    after: ['.x......', 'xx.....x'],
  },
  {
    what: 'releasing blocks that are due',
    work: ({ table: own, nowUnix }) => releaseOverdueBlocks(own, nowUnix + releaseSeconds),
    before: start,
    after: sold,
  },
];

it.each(works.flatMap((work) => crashMoments.map((when) => ({ ...work, when }))))(
  '$what, with a crash $when any of its calls: all or nothing, and no seat is lost',
  async ({ work, when, before, after }) => {
    let at = 0;
    let isDone = false;
    for (let hasCrashed = true; hasCrashed; ) {
      at += 1;
      const deps = newCheckoutDeps(table);
      const { orgId } = deps;
      const { event, price } = await givenSeatedEvent(table, orgId, { map: hall });
      const { eventId } = event;
      const { basketId: orderId } = await givenSeats(deps, price, ['Stalls/A/1', 'Stalls/A/2']);
      await checkOutWith(deps, orderId);
      const blocked = await block(deps, eventId, ['Stalls/B/1', 'Stalls/B/2']);
      if (blocked.outcome !== 'created') throw new Error(blocked.outcome);
      const crashing = crashingTable(table, at, when);
      const given = { eventId, orderId, blockId: blocked.block.blockId };
      await work({ ...deps, table: crashing.table }, given).catch(() => {});
      hasCrashed = crashing.hasCrashed();
      expect(await auditSeats(table, { orgId, eventId }, deps.nowUnix)).toEqual([]);
      const rows = await rowsNow(table, orgId, eventId, hall);
      expect([before, after]).toContainEqual(rows);
      isDone = JSON.stringify(rows) === JSON.stringify(after);
      expect(await releaseOverdueBlocks(table, deps.nowUnix + releaseSeconds)).toEqual([]);
      expect(await auditSeats(table, { orgId, eventId }, deps.nowUnix)).toEqual([]);
      expect(await everySeatBlock(table, orgId, eventId)).toEqual([]);
    }
    expect(at).toBeGreaterThan(1);
    expect(isDone).toBe(true);
  },
);
