import { describe, expect, it, vi } from 'vitest';
import { readOrder, readOrderRef } from '../../../shared/data/orders/read.ts';
import { setInvoiceAddress } from '../../../shared/data/orders/set-invoice-address.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { documentOf, givenAdmin } from '../../support/admin.ts';
import { checkoutDepsOf, givenOnSale, noonUnix } from '../../support/baskets.ts';
import { eventsOf } from '../../support/faults/refund-crash-scenario.ts';
import { documentsOf, issueLater, sell, switchOnReceipts } from '../../support/issued-receipts.ts';
import { anAddress } from '../../support/receipts.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';

vi.stubEnv('PAYMENTS', 'sandbox');
await givenStackSecret();
const orgId = 'org_receipts';
const { table, admin } = await givenAdmin(() => (noonUnix + 600) * 1000);

describe('customer erase', () => {
  it('leaves the buyer in receipts, which the law keeps, and removes it from the order; no event has it; customer export shows them', async () => {
    const deps = checkoutDepsOf(table, orgId);
    await givenOrganisation(table, orgId);
    const { price } = await givenOnSale(table, orgId);
    await switchOnReceipts(deps);
    const orderId = await sell(deps, price);
    const ref = await readOrderRef(table, orgId, orderId);
    if (ref === undefined) throw new Error('There is no such order.');
    const given = { ref, address: anAddress, nowMs: () => deps.clock.nowMs(), check: () => undefined };
    await setInvoiceAddress(table, orgId, given);
    await issueLater(deps);
    const userId = (await readOrder(table, orgId, orderId))?.userId ?? 0;
    const documents = await documentsOf(deps);
    const inFeed = async () => JSON.stringify(await eventsOf(deps)).includes(String(anAddress.company));
    expect(await inFeed()).toBe(false);
    const exported = await documentOf(admin, 'customer', 'export', orgId, String(userId), '--user-id');
    expect(exported).toMatchObject({ documents: [{}, {}, { buyer: { company: anAddress.company } }] });
    await documentOf(admin, 'customer', 'erase', orgId, String(userId), '--user-id', '--yes');
    expect(await documentsOf(deps)).toEqual(documents);
    expect((await readOrder(table, orgId, orderId))?.invoiceAddress).toBeUndefined();
  });
});
