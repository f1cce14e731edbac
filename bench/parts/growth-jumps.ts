import type { JumpCost, ReadCost } from '../harness/read-cost-meter.ts';
import { atMost, type FigureTable, type Target } from '../report/figures.ts';

/** A list and what a jump to any of its pages may cost, in read units. */
interface Bound {
  readonly limit: (jump: JumpCost) => number;
  readonly reason: string;
}

/** An unfiltered list: 1.5 times its first page and 10 units. */
const unfiltered: Bound = { limit: ({ first }) => 1.5 * first.readUnits + 10, reason: '1.5 × the first page + 10' };
/** A filtered list: 15 units for each 1,000 rows that are skipped, and the page. */
const filtered: Bound = {
  limit: ({ first, last }) => first.readUnits + 150 + (15 * last.rows) / 1_000,
  reason: '15 for each 1,000 rows skipped',
};
/** Combined filters of members at 100,000 members. */
const combined: Bound = { limit: () => 1_300, reason: 'fixed' };

const boundOf = (name: string): Bound => {
  if (name.includes('combined')) return combined;
  return name.includes('status') ? filtered : unfiltered;
};

/** Cold jumps by page number: units, and time relative to the first page. */
export function jumpFindings(
  sizes: readonly number[],
  all: readonly (readonly JumpCost[])[],
): { readonly table: FigureTable; readonly targets: readonly Target[]; readonly note: string } {
  const rows = sizes.flatMap((size, index) => (all[index] ?? []).map((jump) => ({ size, jump })));
  const times = (cost: ReadCost, first: ReadCost): string =>
    cost.timedOut ? 'timed out' : `${(cost.ms / first.ms).toFixed(1)} ×`;
  const table: FigureTable = {
    title: 'Jumps to a page by its number',
    columns: ['list', 'rows', 'first, units', 'middle, units', 'last, units', 'middle, time', 'last, time', 'allowed'],
    rows: rows.map(({ size, jump }) => [
      jump.name,
      size,
      jump.first.readUnits,
      jump.middle.readUnits,
      jump.last.readUnits,
      times(jump.middle, jump.first),
      times(jump.last, jump.first),
      boundOf(jump.name).limit(jump),
    ]),
  };
  const targets = (all.at(-1) ?? []).map((jump) =>
    atMost({
      name: `growth: jump to the middle or last page of ${jump.name}, read units (${boundOf(jump.name).reason})`,
      value: Math.max(jump.middle.readUnits, jump.last.readUnits),
      limit: boundOf(jump.name).limit(jump),
      why: whyExpensive,
    }),
  );
  const note =
    'A jump requests one page by its number, with no page before it. Times are relative to the first page of the same list; a request that timed out shows the units of the calls that it made.';
  return { table, targets, note };
}

const whyExpensive =
  'An unfiltered jump still reads what it skips: members through their filter rows, customers through their rows. Order statistics are designed, not built (ADR 0033).';
