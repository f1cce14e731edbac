import { readJournal } from '../../shared/data/journal/read.ts';
import type { JournalEntry as EntryRecord } from '../../shared/domain/journal/entry.ts';
import { journalEntryResource } from '../../shared/mappers/journal-entry.ts';
import type { JournalEntry } from '../../shared/operations/schemas/journal-entry.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import type { Row, TransferContext } from './dataset.ts';
import type { ExportedData } from './export.ts';

const entriesPerPage = 500;

/** The journal, a row for each line of an entry, oldest first. It is written by what moves money, so it has no import. */
export const journalExport: ExportedData = {
  name: 'journal',
  plural: 'lines of journal entries',
  columns: [
    ...['entry_id', 'at', 'kind', 'order_id', 'event_id', 'currency'],
    ...['account', 'price_id', 'membership_type_id', 'quantity', 'amount', 'tax'],
    ...['tender_kind', 'tender_station', 'tender_operator', 'tender_reference'],
  ],
  parentKey: 'entry_id',
  countsParents: false,
  // Nothing counts the entries of an organisation.
  total: async () => Number.POSITIVE_INFINITY,
  rows,
};

async function* rows(context: TransferContext): AsyncGenerator<Row> {
  for await (const page of journalPages(context)) {
    for (const { lines, tender, ...entry } of page.map(journalEntryResource)) {
      for (const line of lines) yield { ...entry, ...line, ...tenderColumns(tender) };
    }
  }
}

/** All entries of the journal, oldest first. */
export async function* journalPages({ table, orgId, clock }: TransferContext): AsyncGenerator<readonly EntryRecord[]> {
  const nowMs = unixSeconds(clock) * 1000;
  let after: string | undefined;
  do {
    const page = await readJournal(table, orgId, {
      eventId: undefined,
      orderId: undefined,
      limit: entriesPerPage,
      after,
      sinceMs: 0,
      untilMs: nowMs,
      nowMs,
    });
    yield page.rows;
    after = page.next;
  } while (after !== undefined);
}

function tenderColumns(tender: JournalEntry['tender']): Row {
  return {
    tender_kind: tender?.kind ?? null,
    tender_station: tender?.station ?? null,
    tender_operator: tender?.operator ?? null,
    tender_reference: tender?.reference ?? null,
  };
}
