import type { Seat } from '../../site/browser/seats/resources.ts';

export type SeatState = 'sold' | 'held' | 'blocked' | 'unsold';

const columns = [
  ['sold', 'Sold'],
  ['held', 'Held'],
  ['blocked', 'Blocked'],
  ['unsold', 'Free'],
] as const satisfies readonly (readonly [SeatState, string])[];

interface FiguresProps {
  readonly seats: readonly Seat[];
  readonly stateOf: (seat: Seat) => SeatState;
}

/** How many seats of each section are sold, held, blocked and free. */
export function SeatFigures({ seats, stateOf }: FiguresProps) {
  const rows = [...Map.groupBy(seats, ({ section }) => section), ['Total', seats] as const];
  return (
    <section class="card">
      <table class="figures">
        <caption class="visually-hidden">Seats by section</caption>
        <thead>
          <tr>
            <th scope="col">Section</th>
            {columns.map(([state, title]) => (
              <th key={state} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([section, inSection]) => (
            <tr key={section}>
              <th scope="row">
                {section} <span class="hint">{inSection.length.toLocaleString('en')} seats</span>
              </th>
              {columns.map(([state]) => (
                <td key={state}>{inSection.filter((seat) => stateOf(seat) === state).length}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
