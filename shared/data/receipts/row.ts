import * as v from 'valibot';
import { parseId } from '../../domain/ids.ts';
import type { MoneyAccount } from '../../domain/journal/entry.ts';
import { type DocumentItem, type DocumentRecord, documentKinds } from '../../domain/receipts/document.ts';
import { timeOrderedIds } from '../../platform/time-ordered-ids.ts';
import type { ItemKey } from '../table/keys.ts';
import { receiptKey, receiptKindPartition, receiptsPartition } from '../table/receipt-keys.ts';
import { nullable, openEnum, storedEnum, withoutNulls } from '../table/row.ts';

const documentIds = timeOrderedIds('doc_');

/** The smallest id of a millisecond. */
export const documentIdFloor = documentIds.floor;

/**
 * The id of a document of an entry: it has the entry's time, and names the order whose partition has the document. `index` counts those of
 * one entry.
 */
export function documentIdOf(
  { entryId, orderId }: { readonly entryId: string; readonly orderId: number },
  index = 0,
): string {
  const next = index === 0 ? '' : `_${index + 1}`;
  return `doc_${entryId.slice(entryId.indexOf('_') + 1)}_${orderId}${next}`;
}

/** The order of a document; undefined if it is no id of a document. */
export function orderOfDocument(documentId: string): number | undefined {
  const [prefix, , orderId = ''] = documentId.split('_');
  return prefix === 'doc' ? parseId(orderId) : undefined;
}

const Text = nullable(v.string());

const Item = v.pipe(
  v.object({ of: openEnum<DocumentItem['of']>(), id: v.optional(v.number(), 0) }),
  v.transform(({ of, id }): DocumentItem => (of === 'price' || of === 'type' ? { of, id } : { of })),
);

const StoredReceipt = v.object({
  sk: v.string(),
  kind: storedEnum(documentKinds, 'receipt'),
  number: v.string(),
  at: v.number(),
  order: v.number(),
  entry: v.string(),
  refersTo: nullable(v.object({ number: v.string(), issuedUnix: v.number() })),
  seller: v.object({ name: v.string(), address: v.string(), taxId: Text }),
  buyer: nullable(
    v.object({
      company: Text,
      name: Text,
      address: Text,
      address2: Text,
      postcode: Text,
      city: Text,
      country: Text,
      taxId: Text,
      reference: Text,
    }),
  ),
  lines: v.array(
    v.object({
      item: Item,
      title: v.string(),
      event: nullable(v.object({ title: v.string(), startUnix: v.number(), timezone: v.string() })),
      quantity: v.number(),
      taxRate: nullable(v.number()),
      netMinor: v.number(),
      taxMinor: v.number(),
      grossMinor: v.number(),
    }),
  ),
  cur: v.string(),
  paidBy: v.array(v.object({ kind: openEnum<MoneyAccount>(), amountMinor: v.number() })),
});

/** The row of a document. Index by1 lists all documents of the organisation, index by2 those of a kind. */
export function receiptItem(orgId: string, document: DocumentRecord): ItemKey & Readonly<Record<string, unknown>> {
  const { documentId, kind, number, issuedUnix, orderId, entryId, currency, ...contents } = document;
  return {
    ...withoutNulls(contents),
    ...receiptKey(orgId, orderId, documentId),
    by1pk: receiptsPartition(orgId),
    by1sk: documentId,
    by2pk: receiptKindPartition(orgId, kind),
    by2sk: documentId,
    kind,
    number,
    at: issuedUnix,
    order: orderId,
    entry: entryId,
    cur: currency,
  };
}

export function parseReceipt(item: unknown): DocumentRecord {
  const { sk, at, order, entry, cur, ...contents } = v.parse(StoredReceipt, item);
  return { ...contents, documentId: sk, issuedUnix: at, orderId: order, entryId: entry, currency: cur };
}
