import { readGate } from '../../../shared/data/gates/gates.ts';
import { Admission } from '../../../shared/data/scans/admission.ts';
import { previewScan, type RecordedScan, recordScan as recordReading } from '../../../shared/data/scans/record.ts';
import { checkNonce, checkScanTime, resolveGate } from '../../../shared/http/handlers/check-scan.ts';
import { readEventFromPath } from '../../../shared/http/handlers/event-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { scanAnswer, scanReport, ticketScanned } from '../../../shared/mappers/record-scan.ts';
import { recordScan } from '../../../shared/operations/events/record-scan.ts';
import { announce } from '../../../shared/outbox/outbox.ts';

export const record: Handle<typeof recordScan> = async ({ params, body }, { caller, table, clock, receipt }) => {
  const { orgId } = caller;
  const nowMs = clock.nowMs();
  checkScanTime(body.scanned_at, nowMs);
  const event = await readEventFromPath(table, orgId, params.event_id);
  const gateId = resolveGate(caller, { eventId: event.eventId, gateId: body.gate_id });
  const gate = gateId === null ? undefined : await readGate(table, orgId, gateId);

  const admission = new Admission(table, gate);
  const answer = (recorded: RecordedScan) => scanAnswer(recorded, event, admission);
  const report = scanReport(body, { orgId, event, gateId, gate, nowMs });
  const sideEffects = (recorded: RecordedScan) => [
    ...announce(table, orgId, ticketScanned(answer(recorded)), clock.nowMs()),
    ...receipt(answer(recorded)),
  ];
  const recorded = body.simulate
    ? await previewScan(table, report, { find: admission.find })
    : await recordReading(table, report, { find: admission.find, sideEffects });
  checkNonce(report.scan, recorded.scan);
  await admission.complete(orgId, recorded);
  return answer(recorded);
};

export const handler = pipeline(recordScan, record);
