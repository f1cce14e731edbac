import { buildMap } from '../../shared/domain/seats/build-map.ts';
import { parseLabels } from '../../shared/domain/seats/labels.ts';
import type { SeatMapPlan } from './season-plan.ts';

const rowNames = ['A', 'B', 'C', 'D'];
const zone = 'Boxes';

function boxes(): SeatMapPlan['map'] {
  const rows = rowNames.map((row) => {
    const labels = parseLabels('1-8|9-16|17-24');
    if ('tooMany' in labels) throw new Error(`The row ${row} has too many seats.`);
    return { param: 'sections', section: 'S1', row, seats: labels.map((seat) => ({ ...seat, zone })) };
  });
  const built = buildMap(rows, { zones: [{ zone, color: '#b8860b' }], kinds: [] });
  if ('problems' in built) throw new Error(built.problems[0]?.message);
  return built.map;
}

/** Three boxes side by side. Those who have a membership of the boxes have their own seats in them. */
export const clubBoxes: SeatMapPlan = { code: 'harbour-park-boxes', title: 'Harbour Park, boxes', map: boxes() };
