import { majorUnits } from '../domain/money.ts';
import {
  type DocumentMoney,
  type DocumentRecord,
  documentTotalMinor,
  taxBreakdown,
} from '../domain/receipts/document.ts';
import type { Document } from '../operations/schemas/document.ts';
import { invoiceAddress } from './invoice-address.ts';
import { isoTimestamp } from './iso-timestamp.ts';

export function documentResource(record: DocumentRecord): Document {
  const { seller, buyer, refersTo, lines, currency } = record;
  const money = ({ netMinor, taxMinor, grossMinor }: DocumentMoney, taxRate: number | null) => ({
    net: majorUnits(netMinor, currency),
    tax_rate: taxRate,
    tax: majorUnits(taxMinor, currency),
    gross: majorUnits(grossMinor, currency),
  });
  return {
    document_id: record.documentId,
    kind: record.kind,
    number: record.number,
    issued_at: record.issuedUnix,
    order_id: record.orderId,
    entry_id: record.entryId,
    refers_to: refersTo && { number: refersTo.number, issued_at: refersTo.issuedUnix },
    seller: { name: seller.name, address: seller.address, tax_id: seller.taxId },
    buyer: buyer && invoiceAddress(buyer),
    lines: lines.map((line) => ({
      title: line.title,
      event_title: line.event?.title ?? null,
      event_start: line.event && isoTimestamp(line.event.startUnix),
      quantity: line.quantity,
      ...money(line, line.taxRate),
    })),
    tax_breakdown: taxBreakdown(lines).map((sum) => money(sum, sum.taxRate)),
    total: majorUnits(documentTotalMinor(lines), currency),
    currency,
    paid_by: record.paidBy.map(({ kind, amountMinor }) => ({ kind, amount: majorUnits(amountMinor, currency) })),
  };
}

/** The event that announces a document. */
export function documentIssued(record: DocumentRecord) {
  const { document_id, kind, number, issued_at, order_id, entry_id, refers_to, total, currency } =
    documentResource(record);
  const document = { document_id, kind, number, issued_at, order_id, entry_id, refers_to, total, currency };
  return { type: 'document.issued' as const, data: { document } };
}
