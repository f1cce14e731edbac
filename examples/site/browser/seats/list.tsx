import { SmallButton } from '../parts/button.tsx';
import type { Seat } from './resources.ts';

const kinds: Readonly<Record<Seat['kind'], string>> = {
  standard: '',
  wheelchair: 'wheelchair place',
  companion: 'companion of a wheelchair user',
  restricted_view: 'restricted view',
};

interface ListProps {
  readonly seats: readonly Seat[];
  readonly chosen: ReadonlySet<string>;
  readonly onToggle: (seat: Seat) => void;
  /** What is said of a seat beside its number, such as its price. */
  readonly noteOf?: ((seat: Seat) => string) | undefined;
  /** A seat has the focus. */
  readonly onPoint?: ((seat: Seat) => void) | undefined;
  /** Chooses a whole row. Left out where single seats are chosen. */
  readonly onRow?: ((seats: readonly Seat[]) => void) | undefined;
}

/** The same seats as the plan, row by row, for keyboards and screen readers. */
export function SeatList({ seats, ...props }: ListProps) {
  const sections = Map.groupBy(seats, ({ section }) => section);
  return (
    <>
      {[...sections].map(([section, inSection]) => (
        <section key={section} aria-label={`Rows of ${section}`}>
          <h2>{section}</h2>
          <ul class="seat-rows">
            {[...Map.groupBy(inSection, ({ row }) => row)].map(([row, inRow]) => (
              <li key={row}>
                <Row row={row} seats={inRow} {...props} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function Row({ row, seats, chosen, onToggle, noteOf, onPoint, onRow }: ListProps & { readonly row: string }) {
  const shown = seats.filter(({ isFree, name }) => isFree || chosen.has(name));
  if (shown.length === 0) return <p class="hint">Row {row}: no free seats</p>;
  return (
    <details>
      <summary>
        Row {row}: {shown.length} free
      </summary>
      <fieldset class="buttons seat-choices">
        <legend class="visually-hidden">Free seats of row {row}</legend>
        {onRow !== undefined && <SmallButton onClick={() => onRow(seats)}>All of row {row}</SmallButton>}
        {shown.map((seat) => (
          <label key={seat.name} class="choice">
            <input
              type="checkbox"
              checked={chosen.has(seat.name)}
              onChange={() => onToggle(seat)}
              onFocus={onPoint && (() => onPoint(seat))}
            />
            <span>
              <span class="visually-hidden">Seat </span>
              {seat.label}
              {noteOf && <span class="visually-hidden">{noteOf(seat)}</span>}
              {kinds[seat.kind] !== '' && <span class="hint">{kinds[seat.kind]}</span>}
            </span>
          </label>
        ))}
      </fieldset>
    </details>
  );
}
