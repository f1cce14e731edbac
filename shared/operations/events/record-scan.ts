import * as v from 'valibot';
import { defineOperation } from '../operation.ts';
import { field, Id, Integer, resource, verbatim } from '../schemas/fields.ts';
import { Scan, ScanResult } from '../schemas/scan.ts';
import { eventPath } from './event-path.ts';

const text = (most: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(most));

export const RecordedScan = resource('RecordedScan', 'What became of a reading at a gate.', {
  result: field(ScanResult, 'ok lets the holder through; every other value says why not.'),
  scan: Scan,
  first_scan: field(
    v.nullable(Scan),
    'Of a refused one: the scan that first let the same ticket or member in at this event; null when there was none.',
  ),
});

export const recordScan = defineOperation({
  id: 'record-scan',
  resource: 'events',
  summary: 'Record a scan at a gate',
  description: `Judges the barcode of a ticket or member and records the reading, whatever its result. Of many gates that read one barcode at
once, one lets in; whoever was read on the way \`out\` may come in again. A reading that is sent again with its \`nonce\` gets the
same answer and is recorded once; a nonce of another reading is refused. A gate that was offline sends its readings later with \`scanned_at\`: they are judged by what is
known by then, and stand in the list at their own time. Answers once given never change.`,
  method: 'POST',
  paths: ['/v1/events/{event_id}/scans'],
  auth: { kind: 'metered', scope: 'scans:write', gates: true },
  input: {
    params: eventPath,
    body: v.strictObject({
      barcode: field(verbatim(text(100)), 'What the gate has read.'),
      gate_id: v.optional(
        v.nullable(field(Id, 'The gate. May be left out with a gate token that is bound to one gate.')),
        null,
      ),
      gate: v.optional(
        v.nullable(field(text(100), 'Its name, where it shall be shown by another than it is registered with.')),
        null,
      ),
      scanned_at: v.optional(
        v.nullable(
          field(
            Integer,
            'Unix second of the reading, where that was not just now; at most 14 days ago, and at most an hour ahead.',
          ),
        ),
        null,
      ),
      nonce: v.optional(
        v.nullable(
          field(
            text(100),
            'A name for this reading that no other of the event has, such as the gate and a number; known for 14 days.',
          ),
        ),
        null,
      ),
      direction: v.optional(field(v.picklist(['in', 'out']), 'Which way the holder goes.'), 'in'),
      simulate: v.optional(
        field(v.boolean(), 'Only say what would be answered: nothing is recorded or announced.'),
        false,
      ),
    }),
  },
  output: { status: 201, schema: RecordedScan, problems: ['gate_not_allowed', 'nonce_mismatch'] },
  effects: {
    access: {
      EVT: ['GetItem'],
      GATE: ['GetItem'],
      BAR: ['BatchGetItem', 'UpdateItem'],
      NON: ['BatchGetItem', 'PutItem'],
      EVC: ['GetItem'],
      MEM: ['GetItem'],
      MCF: ['BatchGetItem'],
      PASS: ['BatchGetItem', 'UpdateItem'],
      SCN: ['GetItem', 'PutItem'],
      CNT: ['UpdateItem'],
    },
    emits: ['ticket.scanned'],
  },
  runtime: { releasedGradually: true },
});

export type RecordScanBody = v.InferOutput<(typeof recordScan)['input']['body']>;
