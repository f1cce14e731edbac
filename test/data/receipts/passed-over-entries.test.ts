import { describe, expect, it } from 'vitest';
import { readBook } from '../../../shared/data/receipts/book.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { documentOf, givenAdmin } from '../../support/admin.ts';
import { findingsOf } from '../../support/audit.ts';
import { checkoutDepsOf, givenOnSale, noonUnix } from '../../support/baskets.ts';
import { CrashPoint, crashingTable } from '../../support/faults/crashing-deps.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import {
  documentsOf,
  enterSales,
  issueLater,
  numbersOf,
  sell,
  switchOnReceipts,
} from '../../support/issued-receipts.ts';
import { crashMoments, crashPoints } from '../../support/thorough.ts';

let organisations = 0;
const { table, admin } = await givenAdmin(() => noonUnix * 1000);

/** An entry that appeared before the worker's place after it had passed: the clock of a function was wrong. */
async function givenPassedOver(count = 1) {
  organisations += 1;
  const deps = checkoutDepsOf(table, `org_passed${organisations}`);
  await givenOrganisation(table, deps.orgId);
  const { price } = await givenOnSale(table, deps.orgId, { capacity: 500 });
  await switchOnReceipts(deps);
  const first = await sell(deps, price);
  deps.nowUnix += 60;
  const second = await sell(deps, price);
  await issueLater(deps);
  await enterSales({ ...deps, nowUnix: noonUnix + 10 }, first, count);
  return { deps, price, second };
}

const audited = async (orgId: string) =>
  (await findingsOf(table, orgId)).filter(({ check }) => check === 'receipts').map(({ problem }) => problem);

const goOver = (orgId: string, day = '2020-01-01') => admin('--local', 'org', 'receipts', orgId, '--again-since', day);

describe('an entry that the worker has passed over', () => {
  it('gets the next number when an operator has the journal followed once more, and nothing else changes', async () => {
    const { deps, price, second } = await givenPassedOver();
    await issueLater(deps);
    const before = await documentsOf(deps);
    expect(numbersOf(before)).toEqual(['R-2026-000001', 'R-2026-000002']);
    expect(await audited(deps.orgId)).toEqual(['An entry of the journal has no document.']);
    expect(await goOver(deps.orgId)).toMatchObject({ exitCode: 0, stderr: '' });
    await issueLater(deps);
    const after = await documentsOf(deps);
    expect(numbersOf(after)).toEqual(['R-2026-000001', 'R-2026-000003', 'R-2026-000002']);
    expect([after[0], after[2]]).toEqual(before);
    expect(await audited(deps.orgId)).toEqual([]);
    // Numbers go on after it, in the journal's order, and a second time there is nothing to do.
    await sell(deps, price);
    await refundOrder(deps, { orderId: second, tickets: 'all' });
    await goOver(deps.orgId);
    await issueLater(deps);
    const last = numbersOf(await documentsOf(deps)).slice(3);
    expect(last).toEqual(['R-2026-000004', 'C-2026-000001']);
    expect(await audited(deps.orgId)).toEqual([]);
    expect((await readBook(table, deps.orgId))?.again).toBeUndefined();
  });

  it.each(crashMoments)('has one document, wherever the worker dies: killed %s the call', async (when) => {
    for (const at of crashPoints()) {
      const { deps } = await givenPassedOver(2);
      await goOver(deps.orgId);
      const crashPoint = new CrashPoint(at, when);
      await crashPoint.resultOf(issueLater(deps, crashingTable(table, crashPoint)));
      await issueLater(deps);
      const numbers = numbersOf(await documentsOf(deps));
      expect(numbers).toEqual(['R-2026-000001', 'R-2026-000003', 'R-2026-000004', 'R-2026-000002']);
      expect(await audited(deps.orgId)).toEqual([]);
      if (crashPoint.calls < at) break;
    }
  });

  it('stays without one before the day that the operator names', async () => {
    const { deps } = await givenPassedOver();
    await goOver(deps.orgId, '2099-01-01');
    await issueLater(deps);
    expect(await documentsOf(deps)).toHaveLength(2);
  });
});

describe('org receipts --again-since', () => {
  it('is refused for a day that does not exist, beside settings, and where receipts are off; nothing is written', async () => {
    const orgId = 'org_againoff';
    await givenOrganisation(table, orgId);
    expect(await goOver(orgId, '2026-02-30')).toMatchObject({ exitCode: 2 });
    expect(
      await admin('--local', 'org', 'receipts', orgId, '--again-since', '2026-02-01', '--prefix', 'A-'),
    ).toMatchObject({ exitCode: 2 });
    expect(await goOver(orgId)).toMatchObject({ exitCode: 1 });
    expect(await readBook(table, orgId)).toBeUndefined();
    expect(await documentOf(admin, 'org', 'receipts', orgId)).toMatchObject({ receipts: null });
  });
});
