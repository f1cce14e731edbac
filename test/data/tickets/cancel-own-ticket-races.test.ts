import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { executeRefunds } from '../../../shared/sales/checkout/sweep-basket.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { requestRefund } from '../../../shared/sales/refunds/request-refund.ts';
import { findingsOf } from '../../support/audit.ts';
import { chargesOf } from '../../support/baskets.ts';
import { CrashPoint, crashingTable, RacePoint } from '../../support/faults/crashing-deps.ts';
import { bought } from '../../support/own-tickets.ts';
import { createTestTable } from '../../support/table.ts';
import { crashPoints } from '../../support/thorough.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

type Bought = Awaited<ReturnType<typeof bought>>;

describe('cancel-own-ticket at the same moment', () => {
  const rivals = {
    scan: async ({ scan }: Bought) => (await scan()) === 'ok',
    transfer: async ({ offer }: Bought) => 'offer' in (await offer()),
    'refund by staff': async ({ deps, orderId, ticketId }: Bought) =>
      (await requestRefund(deps, { orderId, tickets: [ticketId], reason: null, returnedBy: undefined }, () => []))
        .outcome === 'recorded',
  };
  it.each(Object.entries(rivals))('a %s at any moment of it has one winner', async (name, rival) => {
    for (const at of crashPoints()) {
      const given = await bought(table);
      let hasWon = false;
      const race = new RacePoint(at, 'before', async () => {
        hasWon = await rival(given);
      });
      const cancelled = await given.cancel({}, { ...given.deps, table: crashingTable(table, race) });
      if (race.calls < at) {
        expect(at).toBeGreaterThan(5);
        return;
      }
      expect('refund' in cancelled, `${name} at call ${at}`).toBe(!hasWon);
      await given.execute();
      const status = (await given.statuses())?.[0];
      expect(status).toBe(hasWon && name !== 'refund by staff' ? 1 : 3);
      expect(await findingsOf(table, given.deps.orgId)).toEqual([]);
    }
  });

  it('a process that dies at any call leaves the ticket as it was, or refunds it once', async () => {
    for (const at of crashPoints()) {
      const given = await bought(table);
      const { deps } = given;
      const crash = new CrashPoint(at, at % 2 === 0 ? 'after' : 'before');
      const crashing = { ...deps, table: crashingTable(table, crash) };
      const work = async () => {
        await given.cancel({}, crashing);
        await executeRefunds(crashing, given.orderId);
        return 'ended';
      };
      const ended = await crash.resultOf(work());
      deps.nowUnix += 3_600;
      await sweepBaskets(deps);
      const again = await given.cancel();
      expect('refund' in again || ('refusal' in again && again.refusal.reason === 'refunded'), `call ${at}`).toBe(true);
      await given.execute();
      expect(await given.statuses()).toEqual([3, 1]);
      expect(await chargesOf(deps)).toMatchObject([{ refundedMinor: 2_894 }]);
      expect(await given.free()).toBe(9);
      expect(await findingsOf(table, deps.orgId), `call ${at}`).toEqual([]);
      if (ended !== undefined) return;
    }
  });
});
