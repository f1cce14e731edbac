import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { streamingNodeOptions } from '../../lib/streaming-options.ts';
import { startAwsStubs } from '../harness/aws-stubs.ts';
import { organisationOfSize, startFilledTable } from '../harness/filled-table.ts';
import type { MeasurePart } from '../measure-part.ts';
import { atLeast, atMost, median } from '../report/figures.ts';

const program = fileURLToPath(new URL('../harness/export-program.ts', import.meta.url));
/** The speed is measured with at most this many members, the memory with all members of the largest organisation. */
const maxCompared = 10_000;
const megabyte = 1024 * 1024;

const Exported = v.object({
  exportSeconds: v.array(v.number()),
  bareSeconds: v.array(v.number()),
  bytes: v.number(),
  largeBytes: v.number(),
  idleBytes: v.number(),
  peakBytes: v.number(),
});

/** The export and the bare Query loop alternate in a separate process that has loaded nothing else, so its memory is theirs. */
export const measureExport: MeasurePart = async ({ largest, progress }) => {
  const members = Math.min(largest, maxCompared);
  const { orgId } = organisationOfSize(members);
  const { orgId: largeOrgId } = organisationOfSize(largest);
  const awsStubs = await startAwsStubs();
  const benchTable = await startFilledTable(
    [...new Set([members, largest])].map((size) => ({ rows: 'members', size })),
    progress,
  );
  try {
    progress('exporting');
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', program], {
      env: {
        ...process.env,
        NODE_OPTIONS: streamingNodeOptions,
        BENCH_ENDPOINT: benchTable.endpoint,
        BENCH_TABLE: benchTable.tableName,
        BENCH_ORG: orgId,
        BENCH_LARGE_ORG: largeOrgId,
      },
    });
    const found = v.parse(Exported, JSON.parse(stdout));
    const [exported, bare] = [members / median(found.exportSeconds), members / median(found.bareSeconds)];
    const memory = (found.peakBytes - found.idleBytes) / megabyte;
    return {
      notes: [
        `Rows per second: ${members} members, ${found.exportSeconds.length} exports and as many bare Query loops, alternating; medians. Memory: resident memory during one export of ${largest} members in a process with a fresh heap, sampled every 20 ms, minus that after one page.`,
      ],
      tables: [
        {
          title: 'All members in one response',
          columns: ['what', 'value'],
          rows: [
            ['members', members],
            ['bytes', found.bytes],
            ['rows per second', exported],
            ['rows per second of a bare Query loop', bare],
            ['ratio', exported / bare],
            ['members of the largest organisation', largest],
            ['bytes of its export', found.largeBytes],
            ['peak memory over idle while it is read, MB', memory],
          ],
        },
      ],
      curves: [],
      targets: [
        atLeast({
          name: 'export: rows per second over a bare Query loop',
          value: exported / bare,
          limit: 0.4,
        }),
        atMost({ name: 'export: peak memory over idle, MB', value: memory, limit: 64, why: whyLarge }),
      ],
    };
  } finally {
    await benchTable.stop();
    awsStubs.stop();
  }
};

const whyLarge =
  'The young generation of the heap is limited to 12 MB, and the limit of the old one makes V8 collect it early (lib/streaming-options.ts). The rest is compiled code and buffers.';
