import '../../support/streaming-runtime.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { handle } from '../../../functions/api/orders/retrieve-order-pdf.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { FileOutput } from '../../../shared/http/file-output.ts';
import { retrieveOrderPdf } from '../../../shared/operations/orders/retrieve-order-pdf.ts';
import { callHandler } from '../../support/call-handler.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { givenTickets } from '../../support/tickets.ts';

await givenStackSecret();

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

async function pagesOf(orgId: string, orderId: number, query: { layout?: string } = {}) {
  const params = { order_id: String(orderId) };
  const { file } = await callHandler(retrieveOrderPdf, handle, { params, query }, { table, orgId });
  if (!(file instanceof FileOutput)) throw new Error('The response is not a file.');
  const text = Buffer.from(file.bytes).toString('latin1');
  expect(text).toMatch(/^%PDF-1\.\d.*%%EOF\s*$/s);
  return { fileName: file.fileName, pages: text.match(/\/Type \/Page\n/g)?.length };
}

describe('retrieve-order-pdf', () => {
  it('has a page for every valid ticket of the order, on both papers', async () => {
    const { orgId, placed, refund } = await givenTickets(table);
    const { orderId } = placed;
    for (const query of [{}, { layout: 'roll_80mm' }]) {
      expect(await pagesOf(orgId, orderId, query)).toEqual({ fileName: `order-${orderId}.pdf`, pages: 2 });
    }
    await expect(pagesOf('org_other', orderId)).rejects.toMatchObject({ code: 'resource_not_found' });
    await refund();
    expect(await pagesOf(orgId, orderId)).toMatchObject({ pages: 1 });
  });

  it('has nothing to print of an order without a valid ticket', async () => {
    const { orgId, placed, refund } = await givenTickets(table);
    await refund('all');
    await expect(pagesOf(orgId, placed.orderId)).rejects.toMatchObject({ code: 'ticket_not_active', status: 409 });
  });
});
