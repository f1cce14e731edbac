import { readReceipts } from '../../shared/data/receipts/read.ts';
import { documentResource } from '../../shared/mappers/document.ts';
import type { Document } from '../../shared/operations/schemas/document.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import type { Row, TransferContext } from './dataset.ts';
import type { ExportedData } from './export.ts';

const documentsPerPage = 500;
const buyerColumns = ['company', 'name', 'address', 'address2', 'postcode', 'city', 'country', 'tax_id', 'reference'];

/** Receipts and credit notes, a row for each line, oldest first. They follow the journal, so they have no import. */
export const documentExport: ExportedData = {
  name: 'documents',
  plural: 'lines of documents',
  columns: [
    ...['document_id', 'kind', 'number', 'issued_at', 'order_id', 'entry_id'],
    ...['refers_to_number', 'refers_to_issued_at', 'seller_name', 'seller_address', 'seller_tax_id'],
    ...buyerColumns.map((column) => `buyer_${column}`),
    ...['title', 'event_title', 'event_start', 'quantity', 'net', 'tax_rate', 'tax', 'gross', 'total', 'currency'],
  ],
  parentKey: 'document_id',
  countsParents: false,
  // Nothing counts the lines of all documents.
  total: async () => Number.POSITIVE_INFINITY,
  rows,
};

async function* rows({ table, orgId, clock }: TransferContext): AsyncGenerator<Row> {
  const untilMs = unixSeconds(clock) * 1000;
  let after: string | undefined;
  do {
    const page = await readReceipts(table, orgId, {
      kind: undefined,
      orderId: undefined,
      limit: documentsPerPage,
      after,
      sinceMs: 0,
      untilMs,
    });
    for (const document of page.rows.map(documentResource)) {
      for (const line of document.lines) yield { ...headOf(document), ...line };
    }
    after = page.next;
  } while (after !== undefined);
}

function headOf(document: Document): Row {
  const { refers_to, seller, buyer, lines: _, tax_breakdown: __, paid_by: ___, ...head } = document;
  return {
    ...head,
    refers_to_number: refers_to?.number ?? null,
    refers_to_issued_at: refers_to?.issued_at ?? null,
    seller_name: seller.name,
    seller_address: seller.address,
    seller_tax_id: seller.tax_id,
    ...Object.fromEntries(Object.entries(buyer ?? {}).map(([column, value]) => [`buyer_${column}`, value])),
  };
}
