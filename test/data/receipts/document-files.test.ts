import '../../support/streaming-runtime.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { documentExport } from '../../../admin/transfer/document-export.ts';
import { handle as retrievePdf } from '../../../functions/api/documents/retrieve-document-pdf.ts';
import { documentIdOf, receiptItem } from '../../../shared/data/receipts/row.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { FileOutput } from '../../../shared/http/file-output.ts';
import { retrieveDocumentPdf } from '../../../shared/operations/documents/retrieve-document-pdf.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { putItems } from '../../../tools/fixtures/put-items.ts';
import { ada, checkOutWith, givenBasket, givenOnSale, newCheckoutDeps } from '../../support/baskets.ts';
import { callHandler, type HandlerCall } from '../../support/call-handler.ts';
import { collect } from '../../support/collect.ts';
import { documentsOf, issueLater, switchOnReceipts } from '../../support/issued-receipts.ts';
import { anAddress, aReceipt } from '../../support/receipts.ts';
import { createTestTable } from '../../support/table.ts';
import { givenTickets } from '../../support/tickets.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** Two tickets of an organisation that issues receipts. */
async function givenSale() {
  const deps = newCheckoutDeps(table);
  await givenOrganisation(table, deps.orgId, { timezone: 'Australia/Melbourne' });
  await switchOnReceipts(deps);
  const { price } = await givenOnSale(table, deps.orgId, { taxRate: 10 });
  const { basketId } = await givenBasket(deps, price, 2);
  await checkOutWith(deps, basketId, { buyer: { ...ada, invoiceAddress: anAddress } });
  return deps;
}

const download = (documentId: string, call: HandlerCall) =>
  callHandler(retrieveDocumentPdf, retrievePdf, { params: { document_id: documentId } }, call);

describe('A document', () => {
  it('can be downloaded as a PDF, whose name is its number', async () => {
    const deps = await givenSale();
    await issueLater(deps);
    const [{ documentId } = { documentId: '' }] = await documentsOf(deps);
    const call = { table, orgId: deps.orgId, nowMs: deps.nowUnix * 1000 };
    const { file } = await download(documentId, call);
    if (!(file instanceof FileOutput)) throw new Error('The response is no file.');
    expect(Buffer.from(file.bytes).toString('latin1', 0, 5)).toBe('%PDF-');
    expect(file.fileName).toBe('R-2026-000001.pdf');
    await expect(download(`${documentId}9`, call)).rejects.toThrow('No such document.');
  });

  it('can be downloaded by the fan who bought the order, and looks missing to another one', async () => {
    const { orgId, placed, by } = await givenTickets(table);
    const { orderId } = placed;
    const documentId = documentIdOf({ entryId: 'jrn_01JCNDB0000000000000000001', orderId });
    await putItems(table, [receiptItem(orgId, { ...aReceipt, orderId, documentId })]);
    expect(await download(documentId, by('ada'))).toHaveProperty('file');
    await expect(download(documentId, by('grace'))).rejects.toThrow('No such document.');
  });

  it('is exported with a row for each line', async () => {
    const deps = await givenSale();
    await issueLater(deps);
    const context = { table, orgId: deps.orgId, clock: { nowMs: () => (deps.nowUnix + 60) * 1000 } };
    const rows = await collect(documentExport.rows(context, () => {}));
    expect(rows.map((row) => [row.number, row.buyer_company, row.title, row.quantity, row.gross, row.total])).toEqual([
      ['R-2026-000001', anAddress.company, expect.stringContaining(' · '), 2, 60, 64.3],
      ['R-2026-000001', anAddress.company, 'Service fees', 2, 3.9, 64.3],
      ['R-2026-000001', anAddress.company, 'Service tax', 2, 0.4, 64.3],
    ]);
    for (const row of rows) {
      for (const column of Object.keys(row)) expect(documentExport.columns).toContain(column);
    }
  });
});
