import { useState } from 'preact/hooks';
import { Link } from '../../site/browser/parts/link.tsx';
import { Notice, WhenLoaded } from '../../site/browser/parts/notice.tsx';
import { Page } from '../../site/browser/parts/page.tsx';
import { Legend } from '../../site/browser/seats/legend.tsx';
import { SeatList } from '../../site/browser/seats/list.tsx';
import { SeatPlan } from '../../site/browser/seats/plan.tsx';
import type { Seat, SeatMap } from '../../site/browser/seats/resources.ts';
import { useLoaded } from '../../site/browser/state/use-loaded.ts';
import { everyPage, officeCall } from './api.ts';
import { houseOf } from './house.ts';
import type { OfficeEvent, SeatBlock } from './resources.ts';
import { BlockLines, BlockSeats } from './seat-blocks.tsx';
import { SeatFigures, type SeatState } from './seat-figures.tsx';

async function load(eventId: string) {
  const path = `/v1/events/${eventId}`;
  const event = await officeCall<OfficeEvent>('GET', path);
  const [house, sold, blocks] = await Promise.all([
    houseOf(event),
    // The office's server leaves out whose they are.
    everyPage<string>(`${path}/tickets?limit=2500`),
    everyPage<SeatBlock>(`${path}/seat_blocks?limit=50`),
  ]);
  return { event, blocks, sold: new Set(sold), ...house };
}

/** Which seats of an event are sold, held, blocked and free. Staff block some and release them. */
export function SeatsPage({ eventId }: { readonly eventId: string }) {
  const [changes, setChanges] = useState(0);
  const [message, setMessage] = useState<string>();
  const loaded = useLoaded(() => load(eventId), [eventId, changes]);
  return (
    <Page title={loaded.state === 'ready' ? `Seats of ${loaded.value.event.title}` : 'Seats'}>
      <WhenLoaded of={loaded} what="the seats">
        {(house) => (
          <House
            key={changes}
            {...house}
            message={message}
            onChanged={(text) => {
              setMessage(text);
              setChanges(changes + 1);
              // The message is at the top, the button that was pressed below the plan.
              window.scrollTo(0, 0);
            }}
          />
        )}
      </WhenLoaded>
      <p>
        <Link to={`/office/events/${eventId}`}>Back to the event</Link>
      </p>
    </Page>
  );
}

/** What is said of a seat beside its number. */
const noteWords: Readonly<Record<SeatState, string>> = {
  unsold: '',
  sold: ', sold',
  held: ', in a basket, or a member’s',
  blocked: ', blocked',
};

interface HouseProps {
  readonly event: OfficeEvent;
  readonly map: SeatMap;
  readonly seats: readonly Seat[];
  readonly sold: ReadonlySet<string>;
  readonly blocks: readonly SeatBlock[];
  readonly message: string | undefined;
  readonly onChanged: (message: string) => void;
}

function House({ event, map, seats, sold, blocks, message, onChanged }: HouseProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [pressed, setPressed] = useState<SeatBlock>();
  const blocked = new Map(blocks.flatMap((block) => block.seats.map((name) => [name, block])));
  const stateOf = ({ name, isFree }: Seat): SeatState => {
    if (isFree) return 'unsold';
    if (blocked.has(name)) return 'blocked';
    return sold.has(name) ? 'sold' : 'held';
  };
  const choose = (names: readonly string[]): void => {
    const isChosen = names.every((name) => chosen.has(name));
    const others = [...chosen].filter((name) => !names.includes(name));
    setChosen(new Set(isChosen ? others : [...others, ...names]));
  };
  const press = (seat: Seat): void => {
    if (seat.isFree) choose([seat.name]);
    setPressed(blocked.get(seat.name));
  };
  const pressRow = (inRow: readonly Seat[]): void =>
    choose(inRow.filter(({ isFree }) => isFree).map(({ name }) => name));
  const zones = [...new Set(seats.map(({ zone }) => zone))].map((zone) => ({ zone, text: 'free' }));
  return (
    <>
      {message !== undefined && (
        <Notice tone="good">
          <p>{message}</p>
        </Notice>
      )}
      <p>
        Press seats, or the name of a row, to block them. Press a blocked seat to find its block in the list below, and
        release it there.
      </p>
      <Legend
        map={map}
        zones={zones}
        states={{ sold: 'sold', held: 'in a basket, or a member’s', blocked: 'blocked' }}
      />
      <SeatPlan
        map={map}
        seats={seats}
        chosen={chosen}
        onToggle={press}
        onRow={pressRow}
        allSeats
        classOf={(seat) => (chosen.has(seat.name) ? 'chosen' : stateOf(seat))}
        noteOf={(seat) => noteWords[stateOf(seat)]}
        label="Plan of the seats"
      />
      {chosen.size > 0 && (
        <p class="chosen-bar">
          <a class="button small" href="#block-seats">
            {chosen.size === 1 ? '1 seat' : `${chosen.size} seats`} chosen: go on
          </a>
        </p>
      )}
      <details class="card">
        <summary>List of rows and free seats</summary>
        <SeatList seats={seats} chosen={chosen} onToggle={press} onRow={pressRow} />
      </details>
      {chosen.size > 0 && <BlockSeats event={event} seats={[...chosen]} onChanged={onChanged} />}
      <BlockLines event={event} blocks={blocks} pressed={pressed} onChanged={onChanged} />
      <SeatFigures seats={seats} stateOf={stateOf} />
    </>
  );
}
