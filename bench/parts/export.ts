import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { givenKey, givenOrganisation } from '../../test/support/door.ts';
import type { MeasurePart } from '../parts.ts';
import { atLeast, atMost, median } from '../report/figures.ts';
import { placeOfSize, startFilledStand } from '../stand/filled-stand.ts';
import { startNeighbours } from '../stand/neighbours.ts';

const program = fileURLToPath(new URL('../stand/export-program.ts', import.meta.url));
/**
 * DynamoDB Local reads a partition to its end for every Query, so its time grows with the square of the rows, and would be all
 * that is compared.
 */
const mostMembers = 10_000;
const megabyte = 1024 * 1024;

const Exported = v.object({
  exportSeconds: v.array(v.number()),
  bareSeconds: v.array(v.number()),
  bytes: v.number(),
  idleBytes: v.number(),
  peakBytes: v.number(),
});

/** The export and the bare loop take turns in a process of their own, which has loaded nothing else: its memory is theirs. */
export const measureExport: MeasurePart = async ({ largest, progress }) => {
  const members = Math.min(largest, mostMembers);
  const { orgId } = placeOfSize(members);
  const neighbours = await startNeighbours();
  const stand = await startFilledStand([{ rows: 'members', size: members }], progress);
  try {
    const table = stand.open();
    await givenOrganisation(table, orgId);
    const { text: key } = await givenKey(table, orgId);
    progress('exports');
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', program], {
      env: {
        ...process.env,
        BENCH_ENDPOINT: stand.endpoint,
        BENCH_TABLE: stand.tableName,
        BENCH_ORG: orgId,
        BENCH_KEY: key,
      },
    });
    const found = v.parse(Exported, JSON.parse(stdout));
    const [exported, bare] = [members / median(found.exportSeconds), members / median(found.bareSeconds)];
    const memory = (found.peakBytes - found.idleBytes) / megabyte;
    return {
      notes: [
        `${members} members, ${found.exportSeconds.length} exports and as many bare Query loops in turns, in one process with a fresh heap; medians. Memory is resident, sampled every 20 ms, above what it was after a page and a first export's code were loaded.`,
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
            ['peak memory over idle, MB', memory],
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
