import { colourOf } from './plan.tsx';
import type { SeatMap } from './resources.ts';

interface LegendProps {
  readonly map: SeatMap;
  /** The zones, and what is said of each. */
  readonly zones: readonly { readonly zone: string; readonly text: string }[];
  /** The other states of a seat, by their class in the plan. */
  readonly states: Readonly<Record<string, string>>;
}

/** What the colours and letters of the plan mean. */
export function Legend({ map, zones, states }: LegendProps) {
  return (
    <ul class="zones">
      {zones.map(({ zone, text }) => (
        <li key={zone}>
          <svg class="zone-key" viewBox="0 0 10 10" aria-hidden="true">
            <circle cx="5" cy="5" r="5" fill={colourOf(map, zone)} />
          </svg>
          {zone}: {text}
        </li>
      ))}
      {Object.entries(states).map(([state, text]) => (
        <li key={state}>
          <svg class={`zone-key seat ${state}`} viewBox="0 0 10 10" aria-hidden="true">
            <circle cx="5" cy="5" r="4.5" />
          </svg>
          {text}
        </li>
      ))}
      <li>W wheelchair place, C companion, R restricted view</li>
    </ul>
  );
}
