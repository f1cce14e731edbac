import { useState } from 'preact/hooks';
import { Link } from '../../site/browser/parts/link.tsx';
import { Notice, WhenLoaded } from '../../site/browser/parts/notice.tsx';
import { Page } from '../../site/browser/parts/page.tsx';
import { Legend } from '../../site/browser/seats/legend.tsx';
import { SeatList } from '../../site/browser/seats/list.tsx';
import { SeatPlan } from '../../site/browser/seats/plan.tsx';
import type { Seat } from '../../site/browser/seats/resources.ts';
import { seatsText } from '../../site/browser/state/format.ts';
import { navigate } from '../../site/browser/state/router.ts';
import { useLoaded } from '../../site/browser/state/use-loaded.ts';
import { Action } from './action.tsx';
import { officeCall } from './api.ts';
import { houseOf } from './house.ts';
import { leaveMessage } from './message.ts';
import type { OfficeEvent, OfficeOrder } from './resources.ts';

interface MoveProps {
  readonly orderId: string;
  readonly ticketId: number;
}

/** A ticket keeps its price, so it moves within the zone of its seat. */
async function load({ orderId, ticketId }: MoveProps) {
  const order = await officeCall<OfficeOrder>('GET', `/v1/orders/${orderId}`);
  const ticket = order.tickets.find(({ ticket_id }) => ticket_id === ticketId);
  const event = await officeCall<OfficeEvent>('GET', `/v1/events/${order.event_id}`);
  if (ticket === undefined || event.seat_map_id === null) return undefined;
  const { map, seats } = await houseOf(event);
  const name = [ticket.section_label, ticket.seat_row, ticket.seat_title].join('/');
  const zone = seats.find((seat) => seat.name === name)?.zone;
  return {
    event,
    map,
    name,
    zone,
    seats: seats.map((seat) => ({ ...seat, isFree: seat.isFree && seat.zone === zone })),
  };
}

/** Another seat for a ticket, chosen in the plan. */
export function MoveSeatPage(props: MoveProps) {
  const { orderId, ticketId } = props;
  const [seat, setSeat] = useState<Seat>();
  const loaded = useLoaded(() => load(props), [orderId, ticketId]);
  const back = `/office/orders/${orderId}`;

  async function move(idempotencyKey: string, to: Seat): Promise<void> {
    const path = `/v1/orders/${orderId}/tickets/${ticketId}/seat`;
    await officeCall('POST', path, { body: { seat: to.name }, idempotencyKey });
    leaveMessage(
      `The ticket has moved to ${seatsText([to.name])}. The buyer’s page, below, has the new seat; a ticket printed before admits too, but shows the old one.`,
    );
    navigate(back);
  }

  return (
    <Page title="Move to another seat">
      <WhenLoaded of={loaded} what="the seats">
        {(shown) =>
          shown === undefined ? (
            <Notice title="The seats of this event are not sold here, so nothing can be moved" />
          ) : (
            <>
              <p class="intro">
                {shown.event.title}: {seatsText([shown.name])}
              </p>
              <p>Choose another seat of the same price. The price and the barcode stay.</p>
              <Legend
                map={shown.map}
                zones={shown.zone === undefined ? [] : [{ zone: shown.zone, text: 'free' }]}
                states={{ own: 'the seat of this ticket', taken: 'taken, or of another price' }}
              />
              <SeatPlan
                map={shown.map}
                seats={shown.seats}
                chosen={new Set(seat === undefined ? [] : [seat.name])}
                onToggle={setSeat}
                classOf={(one) => classOf(one, shown.name, seat)}
                label="Plan of the seats"
              />
              <details class="card">
                <summary>List of rows and seats</summary>
                <SeatList
                  seats={shown.seats}
                  chosen={new Set(seat === undefined ? [] : [seat.name])}
                  onToggle={setSeat}
                />
              </details>
              <p class="buttons">
                <Action
                  class="button"
                  disabled={seat === undefined}
                  act={async (key) => seat && (await move(key, seat))}
                >
                  {seat === undefined ? 'Choose a seat' : `Move to ${seatsText([seat.name])}`}
                </Action>
              </p>
            </>
          )
        }
      </WhenLoaded>
      <p>
        <Link to={back}>Back to the order</Link>
      </p>
    </Page>
  );
}

function classOf({ name, isFree }: Seat, own: string, chosen: Seat | undefined): string {
  if (name === chosen?.name) return 'chosen';
  if (name === own) return 'own';
  return isFree ? 'free' : 'taken';
}
