import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { handle } from '../../../functions/api/documents/list-documents.ts';
import { handle as handleRetrieve } from '../../../functions/api/documents/retrieve-document.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { listDocuments } from '../../../shared/operations/documents/list-documents.ts';
import { retrieveDocument } from '../../../shared/operations/documents/retrieve-document.ts';
import { Document } from '../../../shared/operations/schemas/document.ts';
import { cursorListOf } from '../../../shared/operations/schemas/list-envelope.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenOnSale, newCheckoutDeps, noonUnix, type TestCheckoutDeps } from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { issueLater, sell, switchOnReceipts } from '../../support/issued-receipts.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

await givenStackSecret();

let table: Table;
let deps: TestCheckoutDeps;
let orders: readonly number[];
beforeAll(async () => {
  ({ table } = await createTestTable());
  deps = newCheckoutDeps(table);
  await givenOrganisation(table, deps.orgId);
  const { price } = await givenOnSale(table, deps.orgId, { capacity: 50 });
  await switchOnReceipts(deps);
  const first = await sell(deps, price);
  deps.nowUnix += 60;
  const second = await sell(deps, price);
  deps.nowUnix += 60;
  await refundOrder(deps, { orderId: first, tickets: 'all' });
  await issueLater(deps);
  orders = [first, second];
});

const list = async (query: Readonly<Record<string, unknown>>) =>
  v.parse(cursorListOf('documents', Document), await callHandler(listDocuments, handle, { query }, deps));
const numbers = ({ data }: { readonly data: readonly Document[] }) => data.map(({ number }) => number);

describe('list-documents', () => {
  it('list-documents returns receipts and credit notes, oldest first, page by page', async () => {
    const first = await list({ limit: 2 });
    expect(numbers(first)).toEqual(['R-2026-000001', 'R-2026-000002']);
    expect(first.has_more).toBe(true);
    const second = await list({ limit: 2, cursor: first.next_cursor });
    expect(numbers(second)).toEqual(['C-2026-000001']);
    expect(second).toMatchObject({ has_more: false, next_cursor: null });
  });

  it('list-documents takes an order, a kind and a time', async () => {
    expect(numbers(await list({ order_id: orders[0] }))).toEqual(['R-2026-000001', 'C-2026-000001']);
    expect(numbers(await list({ order_id: orders[0], kind: 'credit_note' }))).toEqual(['C-2026-000001']);
    expect(numbers(await list({ kind: 'receipt' }))).toEqual(['R-2026-000001', 'R-2026-000002']);
    const time = { unix_start: noonUnix, unix_end: noonUnix + 61 };
    expect(numbers(await list(time))).toEqual(['R-2026-000002']);
  });
});

describe('retrieve-document', () => {
  it('retrieve-document shows what the list shows, and nothing of another organisation', async () => {
    const [, , note] = (await list({})).data;
    const params = { document_id: note?.document_id ?? '' };
    expect(await callHandler(retrieveDocument, handleRetrieve, { params }, deps)).toEqual(note);
    const other = { table, orgId: 'org_other' };
    await expect(callHandler(retrieveDocument, handleRetrieve, { params }, other)).rejects.toMatchObject({
      status: 404,
    });
  });
});
