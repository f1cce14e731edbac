import * as v from 'valibot';
import { everyEvent } from '../../../shared/data/admin/every-event.ts';
import { everyScan } from '../../../shared/data/admin/every-scan.ts';
import { readEvent } from '../../../shared/data/events/read.ts';
import { readScan, recordScan } from '../../../shared/data/scans/record.ts';
import { derivedEventId } from '../../../shared/data/table/derived-id.ts';
import { type ScanRecord, scanResults } from '../../../shared/domain/scans/scan.ts';
import * as field from '../columns.ts';
import { defineKind, type SaveResult, type Scope } from '../dataset.ts';

const ScanRow = v.strictObject({
  event_code: field.code,
  /** A number or name of the reading within its event; export writes where the scan stands. */
  scan_ref: field.name(100),
  barcode: field.name(100),
  scanned_at: field.createdUnix,
  result: v.picklist(scanResults, `must be one of ${scanResults.join(', ')}`),
  direction: v.picklist(['in', 'out'], 'must be in or out'),
  gate_id: v.nullable(field.id),
  gate: field.textOrNull(200),
});
type ScanRow = v.InferOutput<typeof ScanRow>;

const blankScan = { result: 'ok', direction: 'in', gate_id: null, gate: null } as const;

export const scans = defineKind({
  name: 'scans',
  things: 'scans',
  key: 'scan_ref',
  within: 'event_code',
  // What went in before it came out is recorded in that order.
  lane: 'barcode',
  schema: ScanRow,
  async open(scope) {
    const known = new Map<string, Promise<boolean>>();
    const isEvent = (code: string): Promise<boolean> => {
      const found = known.get(code) ?? eventExists(scope, code);
      known.set(code, found);
      return found;
    };
    return {
      blank: blankScan,
      // A reading is recorded once and never changed.
      find: async () => undefined,
      async save(row) {
        if (!(await isEvent(row.event_code))) return { rejected: `event_code names no event: "${row.event_code}".` };
        return save(row, scope);
      },
    };
  },
  async *rows({ table, orgId }) {
    for await (const { eventId, code } of everyEvent(table, orgId)) {
      for await (const scan of everyScan(table, orgId, eventId)) yield toRow(code, scan);
    }
  },
});

async function eventExists({ table, orgId }: Scope, code: string): Promise<boolean> {
  return (await readEvent(table, orgId, derivedEventId(orgId, code), { consistent: true })) !== undefined;
}

/** What the gate answered then stands: it is recorded, not judged. */
async function save(row: ScanRow, { table, orgId, nowUnix }: Scope): Promise<SaveResult> {
  const eventId = derivedEventId(orgId, row.event_code);
  if ((await readScan(table, orgId, eventId, row.scan_ref)) !== undefined) return 'unchanged';
  const { outcome } = await recordScan(table, {
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
      receivedMs: nowUnix * 1000,
    },
  });
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
