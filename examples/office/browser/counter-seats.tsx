import { SeatList } from '../../site/browser/seats/list.tsx';
import { SeatPlan } from '../../site/browser/seats/plan.tsx';
import type { Seat } from '../../site/browser/seats/resources.ts';
import { seatsText } from '../../site/browser/state/format.ts';
import { type Chosen, pricesIn } from './chosen-tickets.ts';
import type { House } from './house.ts';
import type { OfficePrice } from './resources.ts';

interface PickProps {
  readonly house: House;
  readonly prices: readonly OfficePrice[];
  readonly chosen: Chosen;
  readonly onToggle: (seat: Seat) => void;
  readonly onChange: (chosen: Chosen) => void;
}

/** A press on a price takes the best seats. Here staff pick others. */
export function PickSeats({ house, prices, chosen, onToggle, onChange }: PickProps) {
  const names = new Set(chosen.seats.map(({ name }) => name));
  const zones = [...new Set(chosen.seats.map(({ zone }) => zone))];
  return (
    <details class="card">
      <summary>{names.size === 0 ? 'Pick seats instead of the best ones' : seatsText([...names])}</summary>
      {zones.map((zone) => (
        <label key={zone} class="field">
          Price in {zone}
          <select
            value={chosen.priceOfZone.get(zone)}
            onChange={({ currentTarget: { value } }) =>
              onChange({ ...chosen, priceOfZone: new Map([...chosen.priceOfZone, [zone, Number(value)]]) })
            }
          >
            {pricesIn(zone, prices, house).map(({ price_id, title }) => (
              <option key={price_id} value={price_id}>
                {title}
              </option>
            ))}
          </select>
        </label>
      ))}
      <SeatPlan map={house.map} seats={house.seats} chosen={names} onToggle={onToggle} label="Plan of the seats" />
      <SeatList seats={house.seats} chosen={names} onToggle={onToggle} />
    </details>
  );
}
