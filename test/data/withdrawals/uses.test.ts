import { beforeAll, expect, it } from 'vitest';
import { BarcodeLookup } from '../../../shared/data/scans/barcode-lookup.ts';
import { recordScan } from '../../../shared/data/scans/record.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { givenEvent } from '../../../tools/fixtures/events.ts';
import { aScan } from '../../../tools/fixtures/orders.ts';
import { crashingTable, RacePoint } from '../../support/faults/crashing-deps.ts';
import { givenType, renewMember } from '../../support/memberships.ts';
import { daySeconds, memberOf } from '../../support/renewals.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { crashPoints } from '../../support/thorough.ts';
import { givenBought } from '../../support/withdrawals.ts';

let table: Table;
await givenStackSecret();
beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
});

it('a withdrawal at any moment of an entry ends the admission', async () => {
  for (const at of crashPoints()) {
    const { deps, orderId, memberId, request } = await givenBought(table, { gameDayAccess: 1 });
    const { eventId } = await givenEvent(table, deps.orgId, { code: 'match', statusId: 1 });
    const barcode = (await memberOf(deps, memberId)).barcode ?? '';
    let status: unknown;
    const race = new RacePoint(at, 'before', async () => {
      status = (await request(orderId)).body.status;
    });
    const own = crashingTable(table, race);
    const find = new BarcodeLookup(own, { gate: undefined, categories: new Map() }).find;
    const scan = aScan(barcode, { eventId, scannedUnix: deps.nowUnix });
    const { scan: scanned } = await recordScan(own, { orgId: deps.orgId, scan, nonce: null }, { find });
    if (race.calls < at) {
      expect(at).toBeGreaterThan(4);
      return;
    }
    expect([status, scanned.result], `call ${at}`).toEqual(['accepted', 'cancelled']);
  }
});

it('a next term with fewer days leaves what is used of the first one written down', async () => {
  const { deps, memberId } = await givenBought(table, { withdrawalDays: 60 });
  const before = await memberOf(deps, memberId);
  await givenType(table, deps.orgId, { withdrawalDays: 3 });
  await renewMember(deps, memberId);
  const { withdrawableUntilUnix } = await memberOf(deps, memberId);
  expect(withdrawableUntilUnix).toBeGreaterThan(deps.nowUnix + 60 * daySeconds);
  expect(withdrawableUntilUnix).toBe(before.withdrawableUntilUnix);
});
