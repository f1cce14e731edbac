import type { CustomerRecord } from '../../shared/domain/customers/customer.ts';
import {
  type NewOrder,
  orderRecords,
  type TicketRecord,
  type TicketsChange,
} from '../../shared/domain/orders/order.ts';
import type { Scan } from '../../shared/domain/scans/scan.ts';
import type { DemoEvent } from './events.ts';
import type { DemoRandom } from './random.ts';
import { DemoSales } from './sales.ts';
import type { Programme } from './season-plan.ts';

/** Something that happened at an event. */
export type DemoActivity =
  | { readonly kind: 'order'; readonly order: NewOrder }
  | { readonly kind: 'change'; readonly orderId: number; readonly wanted: TicketsChange }
  | { readonly kind: 'scan'; readonly scan: Scan };

interface ActivityPlan {
  readonly random: DemoRandom;
  readonly programme: Programme;
  readonly customers: readonly CustomerRecord[];
  readonly events: readonly DemoEvent[];
  readonly todayUnix: number;
}

/** What happened in a season: sales, some of them taken back, and at what is over, people at the gates. */
export function demoActivities({ random, programme, customers, events, todayUnix }: ActivityPlan): DemoActivity[] {
  const demoSales = new DemoSales(random, programme, customers);
  return events.flatMap((demo) => {
    const orders = demoSales.ordersOf(demo, todayUnix);
    const changes = demo.staged.isSoldOut ? [] : orders.flatMap((order) => changeOf(random, order));
    const isOver = demo.event.startUnix < todayUnix;
    return [
      ...orders.map((order): DemoActivity => ({ kind: 'order', order })),
      ...changes.map((change): DemoActivity => ({ kind: 'change', ...change })),
      ...(isOver ? scansOf(random, programme, demo, orders) : []).map((scan): DemoActivity => ({ kind: 'scan', scan })),
    ];
  });
}

function changeOf(random: DemoRandom, order: NewOrder): { readonly orderId: number; readonly wanted: TicketsChange }[] {
  const { orderId, tickets } = order;
  const chance = random.next();
  if (chance < 0.04) return [{ orderId, wanted: { tickets: 'all', to: 'refunded' } }];
  if (chance < 0.06) return [{ orderId, wanted: { tickets: 'all', to: 'cancelled' } }];
  if (chance < 0.09 && tickets.length > 1) return [{ orderId, wanted: { tickets: [orderId + 1], to: 'refunded' } }];
  return [];
}

/** Most come, within the hour before it begins; a few show a ticket twice, one that is refunded, or something else. */
function scansOf(random: DemoRandom, { gates }: Programme, { event }: DemoEvent, orders: readonly NewOrder[]): Scan[] {
  const read = (barcode: string, scannedUnix: number): Scan => {
    const gateId = random.between(1, gates.length);
    return {
      eventId: event.eventId,
      barcode,
      gateId,
      gate: gates[gateId - 1] ?? null,
      direction: 'in',
      scannedUnix,
      receivedMs: scannedUnix * 1000 + random.between(200, 1_500),
    };
  };
  const arrival = (): number => event.startUnix - random.between(-600, 4_200);
  const ofTicket = ({ barcode }: TicketRecord): Scan[] => {
    if (random.chance(0.13)) return [];
    const first = arrival();
    return random.chance(0.03)
      ? [read(barcode, first), read(barcode, first + random.between(20, 900))]
      : [read(barcode, first)];
  };
  const scans = orders.flatMap((order) => orderRecords(order).tickets).flatMap(ofTicket);
  const stray = random.chance(0.6) ? [read(`POSTER-${random.between(100, 999)}`, arrival())] : [];
  return [...scans, ...stray].sort((one, other) => one.receivedMs - other.receivedMs);
}
