import * as v from 'valibot';
import { everyEvent, everyScan } from '../../../shared/data/admin/read-all.ts';
import { countAllScans } from '../../../shared/data/admin/totals.ts';
import { readEvent } from '../../../shared/data/events/read.ts';
import { findMember } from '../../../shared/data/scans/find-member.ts';
import { type FindSubject, findTicket } from '../../../shared/data/scans/find-ticket.ts';
import { readScan, recordScan } from '../../../shared/data/scans/record.ts';
import { derivedEventId } from '../../../shared/data/table/derived-id.ts';
import type { TriedWrites } from '../../../shared/data/table/tried-writes.ts';
import { type ScanRecord, scanResults } from '../../../shared/domain/scans/scan.ts';
import * as column from '../columns.ts';
import { defineDataset, type SaveResult, type TransferContext } from '../dataset.ts';

const ScanRow = v.strictObject({
  event_code: column.code,
  /** Identifies the scan within its event. Exports write the sort key of the scan. */
  scan_ref: column.name(100),
  barcode: column.name(100),
  scanned_at: column.createdUnix,
  result: v.picklist(scanResults, `must be one of ${scanResults.join(', ')}`),
  direction: v.picklist(['in', 'out'], 'must be in or out'),
  gate_id: v.nullable(column.id),
  gate: column.textOrNull(200),
});
type ScanRow = v.InferOutput<typeof ScanRow>;

const scanDefaults = { result: 'ok', direction: 'in', gate_id: null, gate: null } as const;

export const scans = defineDataset({
  name: 'scans',
  plural: 'scans',
  key: 'scan_ref',
  parentKey: 'event_code',
  // Scans of one barcode are recorded in the order of the file: in before out.
  serialBy: 'barcode',
  schema: ScanRow,
  async open(context) {
    const known = new Map<string, Promise<boolean>>();
    const isEvent = (code: string): Promise<boolean> => {
      const found = known.get(code) ?? eventExists(context, code);
      known.set(code, found);
      return found;
    };
    return {
      defaults: scanDefaults,
      // A scan is recorded once and never changed.
      find: async () => undefined,
      async save(row, _isGiven, tried) {
        if (!(await isEvent(row.event_code))) return { rejected: `event_code "${row.event_code}" does not exist.` };
        return save(row, tried, context);
      },
    };
  },
  total: ({ table, orgId }) => countAllScans(table, orgId),
  async *rows({ table, orgId }) {
    for await (const { eventId, code } of everyEvent(table, orgId)) {
      for await (const scan of everyScan(table, orgId, eventId)) yield toRow(code, scan);
    }
  },
});

async function eventExists({ table, orgId }: TransferContext, code: string): Promise<boolean> {
  return (await readEvent(table, orgId, derivedEventId(orgId, code), { consistent: true })) !== undefined;
}

/**
 * Records the result that the gate returned at that time, without evaluating it again. A passage counts for the ticket or the
 * member of the barcode, so a gate does not admit either again.
 */
async function save(row: ScanRow, tried: TriedWrites, { table, orgId, clock }: TransferContext): Promise<SaveResult> {
  const eventId = derivedEventId(orgId, row.event_code);
  if ((await readScan(table, orgId, eventId, row.scan_ref)) !== undefined) return 'unchanged';
  const report = {
    orgId,
    nonce: row.scan_ref,
    pastResult: row.result,
    scan: {
      eventId,
      barcode: row.barcode,
      gateId: row.gate_id,
      gate: row.gate,
      direction: row.direction,
      scannedUnix: row.scanned_at,
      receivedMs: clock.nowMs(),
    },
  };
  const find: FindSubject = async (read) => (await findMember(table, read)) ?? findTicket(read);
  const { outcome } = await tried.send('created', () => recordScan(table, report, { find }));
  return outcome === 'recorded' ? 'created' : 'unchanged';
}

function toRow(eventCode: string, scan: ScanRecord): ScanRow {
  return {
    event_code: eventCode,
    scan_ref: scan.sortKey,
    barcode: scan.barcode,
    scanned_at: scan.scannedUnix,
    result: scan.result,
    direction: scan.direction,
    gate_id: scan.gateId,
    gate: scan.gate,
  };
}
