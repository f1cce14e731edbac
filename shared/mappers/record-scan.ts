import type { Admission } from '../data/scans/admission.ts';
import type { RecordedScan, ScanReport } from '../data/scans/record.ts';
import type { EventRecord } from '../domain/events/event.ts';
import type { GateRecord } from '../domain/gates/gate.ts';
import type { RecordScanBody } from '../operations/events/record-scan.ts';
import { scanResource } from './scan.ts';

interface Circumstances {
  readonly orgId: string;
  readonly event: EventRecord;
  readonly gateId: number | null;
  readonly gate: GateRecord | undefined;
  readonly nowMs: number;
}

/** What a gate reports, with what is known of the gate. */
export function scanReport(body: RecordScanBody, { orgId, event, gateId, gate, nowMs }: Circumstances): ScanReport {
  return {
    orgId,
    nonce: body.nonce,
    scan: {
      eventId: event.eventId,
      barcode: body.barcode,
      gateId,
      gate: body.gate ?? gate?.name ?? null,
      direction: body.direction,
      scannedUnix: body.scanned_at ?? Math.floor(nowMs / 1000),
      receivedMs: nowMs,
    },
  };
}

/** What the gate is answered. */
export function scanAnswer(recorded: RecordedScan, event: EventRecord, admission: Admission) {
  const surroundings = { event, categories: admission.categories };
  const first = admission.firstScanOf(recorded);
  return {
    result: recorded.scan.result,
    scan: scanResource(recorded.scan, surroundings),
    first_scan: first && scanResource(first, surroundings),
  };
}

/** What is announced of a scan, whatever its result. */
export function ticketScanned({ scan }: ReturnType<typeof scanAnswer>) {
  return { type: 'ticket.scanned', data: { scan } } as const;
}
