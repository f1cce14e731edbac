import type { BarcodeLookup } from '../data/scans/barcode-lookup.ts';
import type { RecordedScan, ScanReport } from '../data/scans/record.ts';
import type { EventRecord } from '../domain/events/event.ts';
import type { GateRecord } from '../domain/gates/gate.ts';
import { isLateScan, receivedMsOf, trimBarcode } from '../domain/scans/scan.ts';
import type { RecordScanBody } from '../operations/events/record-scan.ts';
import { scanResource } from './scan.ts';

interface ReportContext {
  readonly orgId: string;
  readonly eventId: number;
  readonly gateId: number | null;
  readonly gate: GateRecord | undefined;
  readonly nowMs: number;
}

/** Builds the report from the request body and the registered gate. */
export function scanReport(body: RecordScanBody, { orgId, eventId, gateId, gate, nowMs }: ReportContext): ScanReport {
  return {
    orgId,
    nonce: body.nonce,
    scan: {
      eventId,
      barcode: trimBarcode(body.barcode),
      gateId,
      gate: body.gate ?? gate?.name ?? null,
      direction: body.direction,
      scannedUnix: body.scanned_at ?? Math.floor(nowMs / 1000),
      receivedMs: nowMs,
    },
  };
}

/** The response to the gate. */
export function scanResponse(recorded: RecordedScan, event: EventRecord, lookup: BarcodeLookup) {
  const context = { event, categories: lookup.categories };
  const first = lookup.firstScanOf(recorded);
  return {
    result: recorded.scan.result,
    direction: recorded.scan.direction,
    late: isLateScan({ ...recorded.scan, receivedMs: receivedMsOf(recorded.scan) }),
    scan: scanResource(recorded.scan, context),
    first_scan: first && scanResource(first, context),
  };
}

/** The event that announces a scan, whatever its result. */
export function ticketScanned(recorded: RecordedScan, event: EventRecord, lookup: BarcodeLookup) {
  const { scan, direction } = scanResponse(recorded, event, lookup);
  return {
    type: 'ticket.scanned',
    data: {
      event_id: String(event.eventId),
      scan,
      direction,
      scanned_at: recorded.scan.scannedUnix,
      timezone: event.timezone,
    },
  } as const;
}
