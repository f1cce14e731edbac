import { readGate } from '../../../shared/data/gates/gates.ts';
import { BarcodeLookup } from '../../../shared/data/scans/barcode-lookup.ts';
import {
  previewScan,
  type RecordedScan,
  readScanned,
  recordScan as writeScan,
} from '../../../shared/data/scans/record.ts';
import {
  checkEventIsOpen,
  checkNonce,
  checkScanTime,
  resolveGate,
} from '../../../shared/http/handlers/callers/check-scan.ts';
import { parseEventId, requireEventWithCategories } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { scanReport, scanResponse, ticketScanned } from '../../../shared/mappers/record-scan.ts';
import { recordScan } from '../../../shared/operations/events/record-scan.ts';
import { outboxItems } from '../../../shared/outbox/outbox.ts';

export const handle: Handle<typeof recordScan> = async (
  { params, body },
  { caller, table, clock, receipt, requestId },
) => {
  const { orgId } = caller;
  const nowMs = clock.nowMs();
  checkScanTime(body.scanned_at, nowMs);
  const eventId = parseEventId(params.event_id);
  const gateId = resolveGate(caller, { eventId, gateId: body.gate_id });
  const scannedUnix = body.scanned_at ?? Math.floor(nowMs / 1000);
  const [{ event, categories }, gate, items] = await Promise.all([
    requireEventWithCategories(table, orgId, eventId),
    gateId === null ? undefined : readGate(table, orgId, gateId),
    readScanned(table, { orgId, eventId, scannedUnix, barcode: body.barcode, nonce: body.nonce }),
  ]);
  checkEventIsOpen(event);

  const lookup = new BarcodeLookup(table, { gate, categories });
  const respond = (recorded: RecordedScan) => scanResponse(recorded, event, lookup);
  const report = scanReport(body, { orgId, eventId, gateId, gate, nowMs });
  const sideEffects = (recorded: RecordedScan) => [
    ...outboxItems(table, orgId, ticketScanned(recorded, event, lookup), { nowMs: clock.nowMs(), requestId }),
    ...receipt(respond(recorded)),
  ];
  const recorded = body.simulate
    ? await previewScan(table, report, { find: lookup.find, items })
    : await writeScan(table, report, { find: lookup.find, sideEffects, items });
  checkNonce(report.scan, recorded.scan);
  await lookup.loadFirstScan(orgId, recorded);
  return respond(recorded);
};

export const handler = pipeline(recordScan, handle);
