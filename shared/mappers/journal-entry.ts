import { type JournalEntry as EntryRecord, linesOf } from '../domain/journal/entry.ts';
import { majorUnits } from '../domain/money.ts';
import type { Tender } from '../domain/orders/tender.ts';
import type { JournalEntry } from '../operations/schemas/journal-entry.ts';

export function journalEntryResource(record: EntryRecord): JournalEntry {
  const { currency, eventId } = record;
  return {
    entry_id: record.entryId,
    at: record.atUnix,
    kind: record.kind,
    order_id: record.orderId,
    event_id: eventId === null ? null : String(eventId),
    currency,
    tender: record.tender ? tenderResource(record.tender) : null,
    lines: linesOf(record).map(({ account, priceId, typeId, quantity, amountMinor, taxMinor }) => ({
      account,
      price_id: priceId,
      membership_type_id: typeId,
      quantity,
      amount: majorUnits(amountMinor, currency),
      tax: majorUnits(taxMinor, currency),
    })),
  };
}

function tenderResource({ kind, station, operator, reference }: Tender): JournalEntry['tender'] {
  return { kind, station, operator, reference };
}
