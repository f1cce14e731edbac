import type { Seat, SeatMap, SeatSection } from './resources.ts';

/** The seats of sections, where the plan has them. A map without a drawing has its rows one behind the other. */
export function placedSeats(map: SeatMap, sections: readonly SeatSection[]): readonly Seat[] {
  let line = 0;
  return sections.flatMap(({ section, rows }) => {
    const drawn = map.sections.find((one) => one.section === section);
    line += 1;
    return rows.flatMap(({ row, seats, labels, kinds, zones }, index) => {
      const positions = drawn?.rows[index]?.positions ?? inLine(labels, drawn?.rows[index]?.aisles ?? [], line);
      line += 1;
      return labels.map((label, place): Seat => {
        const [x = 0, y = 0] = positions[place] ?? [];
        const [zone = '', kind = 'standard'] = [zones[place], kinds[place]];
        const isFree = seats[place] === '.';
        return { name: `${section}/${row}/${label}`, section, row, label, zone, kind, isFree, x, y };
      });
    });
  });
}

/** Places side by side around the middle, with a gap for each aisle. */
function inLine(labels: readonly string[], aisles: readonly string[], line: number): readonly (readonly number[])[] {
  let gaps = 0;
  const places = labels.map((label, place) => {
    const at = place + gaps;
    if (aisles.includes(label)) gaps += 1;
    return at;
  });
  const middle = (places.at(-1) ?? 0) / 2;
  return places.map((place) => [place - middle, line * 1.2]);
}
