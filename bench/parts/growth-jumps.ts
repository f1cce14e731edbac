import type { JumpCost, ReadCost } from '../harness/read-cost-meter.ts';
import { atMost, type FigureTable, type Target } from '../report/figures.ts';
import { type PagedList, pagedLists, pageUnits } from './growth-lists.ts';

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
    columns: [
      'list',
      'rows',
      'first, units',
      'middle, units',
      'last, units',
      'last, Queries',
      'middle, time',
      'last, time',
    ],
    rows: rows.map(({ size, jump }) => [
      jump.name,
      size,
      jump.first.readUnits,
      jump.middle.readUnits,
      jump.last.readUnits,
      jump.last.queries,
      times(jump.middle, jump.first),
      times(jump.last, jump.first),
    ]),
  };
  const largest = all.at(-1) ?? [];
  const targets = largest.map((jump) => {
    const list = listOf(jump);
    const { bound } = list;
    const page = pageUnits(list);
    const target = atMost({
      name: `growth: jump to the middle or last page of ${jump.name}, ${bound.reason}`,
      value: Math.max(bound.valueOf(jump.middle, page), bound.valueOf(jump.last, page)),
      limit: bound.limitOf(jump),
    });
    if (!jump.middle.timedOut && !jump.last.timedOut) return target;
    return { ...target, met: false, why: 'The request timed out; the units are those until then.' };
  });
  const queries = largest.flatMap(({ middle, last }) => [middle.queries, last.queries]);
  targets.push(
    atMost({ name: 'growth: jump to a page of any list, Queries', value: Math.max(...queries), limit: maxQueries }),
  );
  const note =
    'A jump requests one page by its number, with no page before it. Times are relative to the first page of the same list; a request that timed out shows the units of the calls that it made.';
  return { table, targets, note };
}

const maxQueries = 25;

function listOf({ name }: JumpCost): PagedList {
  const list = pagedLists.find((one) => one.name === name);
  if (list === undefined) throw new Error(`There is no list ${name}.`);
  return list;
}
