import { readGate } from '../../../shared/data/gates/gates.ts';
import { BarcodeLookup } from '../../../shared/data/scans/barcode-lookup.ts';
import { previewScan, type RecordedScan, recordScan as writeScan } from '../../../shared/data/scans/record.ts';
import { checkEventIsOpen, checkNonce, checkScanTime, resolveGate } from '../../../shared/http/handlers/check-scan.ts';
import { readEventFromPath } from '../../../shared/http/handlers/event-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { scanReport, scanResponse, ticketScanned } from '../../../shared/mappers/record-scan.ts';
import { recordScan } from '../../../shared/operations/events/record-scan.ts';
import { outboxItems } from '../../../shared/outbox/outbox.ts';

export const record: Handle<typeof recordScan> = async (
  { params, body },
  { caller, table, clock, receipt, requestId },
) => {
  const { orgId } = caller;
  const nowMs = clock.nowMs();
  checkScanTime(body.scanned_at, nowMs);
  const event = await readEventFromPath(table, orgId, params.event_id);
  checkEventIsOpen(event);
  const gateId = resolveGate(caller, { eventId: event.eventId, gateId: body.gate_id });
  const gate = gateId === null ? undefined : await readGate(table, orgId, gateId);

  const lookup = new BarcodeLookup(table, gate);
  const respond = (recorded: RecordedScan) => scanResponse(recorded, event, lookup);
  const report = scanReport(body, { orgId, event, gateId, gate, nowMs });
  const sideEffects = (recorded: RecordedScan) => [
    ...outboxItems(table, orgId, ticketScanned(recorded, event, lookup), { nowMs: clock.nowMs(), requestId }),
    ...receipt(respond(recorded)),
  ];
  const recorded = body.simulate
    ? await previewScan(table, report, { find: lookup.find })
    : await writeScan(table, report, { find: lookup.find, sideEffects });
  checkNonce(report.scan, recorded.scan);
  await lookup.loadDetails(orgId, recorded);
  return respond(recorded);
};

export const handler = pipeline(recordScan, record);
