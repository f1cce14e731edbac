import { beforeAll, describe, expect, it } from 'vitest';
import { readOrderRef } from '../../../shared/data/orders/read.ts';
import { setInvoiceAddress } from '../../../shared/data/orders/set-invoice-address.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { findingsOf } from '../../support/audit.ts';
import { givenOnSale, newCheckoutDeps, type TestCheckoutDeps } from '../../support/baskets.ts';
import { CrashPoint, crashingTable } from '../../support/faults/crashing-deps.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { brokenSeries, documentsOf, issueLater, sell, switchOnReceipts } from '../../support/issued-receipts.ts';
import { anAddress } from '../../support/receipts.ts';
import { createTestTable } from '../../support/table.ts';
import { crashMoments, crashPoints } from '../../support/thorough.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

async function givenSale() {
  const deps = newCheckoutDeps(table);
  await givenOrganisation(table, deps.orgId);
  const { price } = await givenOnSale(table, deps.orgId, { capacity: 50 });
  await switchOnReceipts(deps);
  return { deps, price, orderId: await sell(deps, price, 2) };
}

async function giveAddress({ orgId, clock }: TestCheckoutDeps, orderId: number) {
  const ref = await readOrderRef(table, orgId, orderId);
  if (ref === undefined) throw new Error('There is no such order.');
  await setInvoiceAddress(table, orgId, {
    ref,
    address: anAddress,
    nowMs: () => clock.nowMs(),
    check: () => undefined,
  });
}

const shown = async (deps: TestCheckoutDeps) =>
  (await documentsOf(deps)).map(({ number, refersTo, buyer }) => [
    number,
    refersTo?.number ?? null,
    buyer?.company ?? null,
  ]);

const receiptFindings = async ({ orgId }: TestCheckoutDeps) =>
  (await findingsOf(table, orgId)).filter(({ check }) => check === 'receipts');

const replaced = [
  ['R-2026-000001', null, null],
  ['C-2026-000001', 'R-2026-000001', null],
  ['R-2026-000002', null, 'Example Pty Ltd'],
];

describe('an invoice address that is given after the receipt', () => {
  it('issues a credit note for the receipt and a receipt with the buyer, and the next credit note refers to that', async () => {
    const { deps, orderId } = await givenSale();
    await issueLater(deps);
    await giveAddress(deps, orderId);
    await issueLater(deps);
    expect(await shown(deps)).toEqual(replaced);
    await refundOrder(deps, { orderId, tickets: 'all' });
    await issueLater(deps);
    expect(await shown(deps)).toEqual([...replaced, ['C-2026-000002', 'R-2026-000002', 'Example Pty Ltd']]);
    expect(brokenSeries(await documentsOf(deps))).toEqual([]);
    expect(await receiptFindings(deps)).toEqual([]);
  });

  it('has the same documents if it is given before the first receipt is issued', async () => {
    const { deps, orderId } = await givenSale();
    await giveAddress(deps, orderId);
    await issueLater(deps);
    expect(await shown(deps)).toEqual(replaced);
  });

  it.each(crashMoments)('has both documents or none where a process dies: %s a call', async (when) => {
    for (const at of crashPoints()) {
      const { deps, orderId } = await givenSale();
      await giveAddress(deps, orderId);
      const crashPoint = new CrashPoint(at, when);
      await crashPoint.resultOf(issueLater(deps, crashingTable(table, crashPoint)));
      await issueLater(deps);
      expect(await shown(deps)).toEqual(replaced);
      if (crashPoint.calls < at) break;
    }
  });
});
