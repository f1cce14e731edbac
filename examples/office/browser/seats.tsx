import { Link } from '../../site/browser/parts/link.tsx';
import { WhenLoaded } from '../../site/browser/parts/notice.tsx';
import { Page } from '../../site/browser/parts/page.tsx';
import { SeatPlan } from '../../site/browser/seats/plan.tsx';
import type { Seat } from '../../site/browser/seats/resources.ts';
import { useLoaded } from '../../site/browser/state/use-loaded.ts';
import { officeCall } from './api.ts';
import { houseOf } from './house.ts';
import type { OfficeEvent } from './resources.ts';

interface SoldSeats {
  readonly data: readonly string[];
  readonly next_cursor: string | null;
}

/** The seats of all tickets that are sold. The office's server leaves out whose they are. */
async function soldSeats(eventId: string): Promise<ReadonlySet<string>> {
  const sold = new Set<string>();
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path = `/v1/events/${eventId}/tickets?limit=2500${cursor && `&cursor=${cursor}`}`;
    const page: SoldSeats = await officeCall('GET', path);
    for (const seat of page.data) sold.add(seat);
    cursor = page.next_cursor;
  }
  return sold;
}

async function load(eventId: string) {
  const event = await officeCall<OfficeEvent>('GET', `/v1/events/${eventId}`);
  const [house, sold] = await Promise.all([houseOf(event), soldSeats(eventId)]);
  return { event, sold, ...house };
}

/** Which seats of an event are sold, held and free. */
export function SeatsPage({ eventId }: { readonly eventId: string }) {
  const loaded = useLoaded(() => load(eventId), [eventId]);
  return (
    <Page title={loaded.state === 'ready' ? `Seats of ${loaded.value.event.title}` : 'Seats'}>
      <WhenLoaded of={loaded} what="the seats">
        {({ map, seats, sold }) => {
          const stateOf = ({ name, isFree }: Seat): SeatState => {
            if (sold.has(name)) return 'sold';
            return isFree ? 'unsold' : 'held';
          };
          return (
            <>
              <Figures seats={seats} stateOf={stateOf} />
              <p class="legend">
                Sold seats have the colour of their zone; yellow is held in a basket, blocked or a member’s; white is
                free.
              </p>
              <SeatPlan map={map} seats={seats} chosen={new Set()} classOf={stateOf} label="Plan of the sold seats" />
              <p>
                <Link to={`/office/events/${eventId}`}>Back to the event</Link>
              </p>
            </>
          );
        }}
      </WhenLoaded>
    </Page>
  );
}

type SeatState = 'sold' | 'held' | 'unsold';
const columns = ['sold', 'held', 'unsold'] as const;

interface FiguresProps {
  readonly seats: readonly Seat[];
  readonly stateOf: (seat: Seat) => SeatState;
}

function Figures({ seats, stateOf }: FiguresProps) {
  const rows = [...Map.groupBy(seats, ({ section }) => section), ['Total', seats] as const];
  return (
    <section class="card">
      <table class="figures">
        <caption class="visually-hidden">Seats by section</caption>
        <thead>
          <tr>
            <th scope="col">Section</th>
            <th scope="col">Sold</th>
            <th scope="col">Held</th>
            <th scope="col">Free</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([section, inSection]) => (
            <tr key={section}>
              <th scope="row">
                {section} <span class="hint">{inSection.length.toLocaleString('en')} seats</span>
              </th>
              {columns.map((column) => (
                <td key={column}>{inSection.filter((seat) => stateOf(seat) === column).length}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
