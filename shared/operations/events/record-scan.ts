import * as v from 'valibot';
import { gatesAccess } from '../../data/gates/access.ts';
import { pricesAccess } from '../../data/prices/access.ts';
import { scansAccess } from '../../data/scans/access.ts';
import { defineOperation } from '../operation.ts';
import { field, Id, resource, UnixBound } from '../schemas/fields.ts';
import { resultText, Scan, ScanDirection, ScanResult } from '../schemas/scan.ts';
import { barcodeText, text } from '../schemas/text.ts';
import { eventPath } from './event-path.ts';

export const RecordedScan = resource('RecordedScan', 'The result of a scan at a gate.', {
  result: field(ScanResult, resultText),
  direction: field(ScanDirection, 'The direction in which the holder passes the gate.'),
  late: field(
    v.boolean(),
    'Whether the report arrived more than a minute after the scan, because the gate was offline. A late scan is checked against the passages at its own time: it is `already_scanned` if the holder was inside then, or came in later.',
  ),
  scan: Scan,
  first_scan: field(
    v.nullable(Scan),
    'For a refused scan, the scan that first admitted the same ticket or member at this event; null if there is none.',
  ),
});

export const recordScan = defineOperation({
  id: 'record-scan',
  resource: 'events',
  summary: 'Record a scan at a gate',
  description: `Checks the barcode of a ticket or member and records the scan, whatever its result. If several gates scan the same barcode at
once, only one of them admits the holder. A holder who was scanned \`out\` can enter again.

If you repeat a scan with the same \`nonce\`, it returns the same result and is recorded once. A nonce that was used for another scan
is an error, and so is a scan at a draft or deleted event. A gate that was offline sends its scans later, with \`scanned_at\`: they are checked against the status of
the ticket at the time of the request and the passages around their own time, and listed at their own time. A recorded result never changes, so an \`in\` is refused if the holder
came in after it: \`first_scan\` may be later than the scan.`,
  method: 'POST',
  paths: ['/v1/events/{event_id}/scans'],
  auth: { kind: 'metered', scope: 'scans:write', gates: true },
  input: {
    params: eventPath,
    body: v.strictObject({
      barcode: field(
        barcodeText(100),
        'The barcode, as the gate read it. White space and control characters around it are ignored, and letters match in upper and lower case.',
      ),
      gate_id: v.optional(
        v.nullable(field(Id, 'The gate. Optional with a gate token that is bound to one gate.')),
        null,
      ),
      gate: v.optional(v.nullable(field(text(100), 'The name of the gate; defaults to its registered name.')), null),
      scanned_at: v.optional(
        v.nullable(
          field(
            UnixBound,
            'When the scan was made, in Unix seconds; defaults to now. At most 14 days in the past and one hour in the future.',
          ),
        ),
        null,
      ),
      nonce: v.optional(
        v.nullable(
          field(
            text(100),
            'A value that is unique to this scan within the event, such as the gate and a sequence number. Stored for 14 days.',
          ),
        ),
        null,
      ),
      direction: v.optional(field(ScanDirection, 'The direction in which the holder passes the gate.'), 'in'),
      simulate: v.optional(
        field(v.boolean(), 'If true, returns the result without recording the scan or sending an event.'),
        false,
      ),
    }),
  },
  output: { status: 201, schema: RecordedScan, problems: ['gate_not_allowed', 'nonce_mismatch', 'event_not_open'] },
  effects: {
    access: [
      pricesAccess.readEventWithCategories,
      gatesAccess.readGate,
      scansAccess.readScanned,
      scansAccess.recordScan,
      scansAccess.previewScan,
      scansAccess.BarcodeLookup,
    ],
    emits: ['ticket.scanned'],
    cannotBeUndone: false,
  },
  // 1,000 scans a second at 50 ms, three times the bursts of a full stadium (ADR 25).
  runtime: { concurrency: 50, objective: { latencyMs: 500 }, releasedGradually: true },
});

export type RecordScanBody = v.InferOutput<(typeof recordScan)['input']['body']>;
