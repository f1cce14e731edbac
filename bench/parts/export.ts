import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { givenKey, givenOrganisation } from '../../test/support/auth.ts';
import { startNeighbours } from '../harness/aws-stubs.ts';
import { positionOfSize, startFilledStand } from '../harness/filled-table.ts';
import type { MeasurePart } from '../parts.ts';
import { atLeast, atMost, median } from '../report/figures.ts';

const program = fileURLToPath(new URL('../harness/export-program.ts', import.meta.url));
/** How many are read again and again; of the largest organisation all are read once, for its memory. */
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

/** The export and the bare loop take turns in a process of their own, which has loaded nothing else: its memory is theirs. */
export const measureExport: MeasurePart = async ({ largest, progress }) => {
  const members = Math.min(largest, maxCompared);
  const { orgId } = positionOfSize(members);
  const { orgId: largeOrgId } = positionOfSize(largest);
  const neighbours = await startNeighbours();
  const stand = await startFilledStand(
    [...new Set([members, largest])].map((size) => ({ rows: 'members', size })),
    progress,
  );
  try {
    const table = stand.open();
    for (const org of new Set([orgId, largeOrgId])) await givenOrganisation(table, org);
    const { text: key } = await givenKey(table, orgId);
    const { text: largeKey } = await givenKey(table, largeOrgId);
    progress('exports');
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', program], {
      env: {
        ...process.env,
        BENCH_ENDPOINT: stand.endpoint,
        BENCH_TABLE: stand.tableName,
        BENCH_ORG: orgId,
        BENCH_KEY: key,
        BENCH_LARGE_KEY: largeKey,
      },
    });
    const found = v.parse(Exported, JSON.parse(stdout));
    const [exported, bare] = [members / median(found.exportSeconds), members / median(found.bareSeconds)];
    const memory = (found.peakBytes - found.idleBytes) / megabyte;
    return {
      notes: [
        `Rows per second: ${members} members, ${found.exportSeconds.length} exports and as many bare Query loops in turns; medians. Memory: one export of ${largest} members in a process with a fresh heap, resident, sampled every 20 ms, above what it was after a page.`,
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
          limit: 0.7,
          why: whySlow,
        }),
        atMost({ name: 'export: peak memory over idle, MB', value: memory, limit: 64, why: whyLarge }),
      ],
    };
  } finally {
    await stand.stop();
    neighbours.stop();
  }
};

const whySlow =
  'Every row is parsed, mapped, checked against its schema and written as JSON in the thread that also reads, while the bare loop only reads. Needed: mapping without the check, or the check on a second thread.';
const whyLarge =
  'A megabyte of rows is held as parsed records and as text while the next is under way, and the heap grows before it is collected. Needed: smaller chunks, at more calls.';
