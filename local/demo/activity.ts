import type { CustomerRecord } from '../../shared/domain/customers/customer.ts';
import type { TicketsChange } from '../../shared/domain/orders/change-order.ts';
import { type NewOrder, orderRecords, type TicketRecord } from '../../shared/domain/orders/order.ts';
import type { NewPayment } from '../../shared/domain/orders/pay-invoice.ts';
import type { Scan } from '../../shared/domain/scans/scan.ts';
import { counterSales } from './counter.ts';
import type { DemoEvent } from './events.ts';
import type { DemoRandom } from './random.ts';
import { DemoSales } from './sales.ts';
import type { SeasonPlan } from './season-plan.ts';

/** One order, one refund or cancellation, or one scan at an event. */
export type DemoActivity =
  | { readonly kind: 'order'; readonly order: NewOrder }
  | { readonly kind: 'change'; readonly orderId: number; readonly change: TicketsChange }
  | { readonly kind: 'payment'; readonly orderId: number; readonly payment: NewPayment }
  | { readonly kind: 'scan'; readonly scan: Scan };

interface ActivityPlan {
  readonly random: DemoRandom;
  readonly seasonPlan: SeasonPlan;
  readonly customers: readonly CustomerRecord[];
  readonly events: readonly DemoEvent[];
  readonly todayUnix: number;
}

/** The activities of a season: orders, refunds and cancellations, and scans at events that are over. */
export function demoActivities({ random, seasonPlan, customers, events, todayUnix }: ActivityPlan): DemoActivity[] {
  const demoSales = new DemoSales(random, seasonPlan, customers);
  return events.flatMap((demo) => {
    const generated = demoSales.ordersOf(demo, todayUnix);
    const isOver = demo.event.startUnix < todayUnix;
    const atCounter = seasonPlan.hasCounter === true && !isOver ? counterSales(generated, todayUnix) : [];
    const replaced = new Map(atCounter.map((sale) => [sale.replaces, sale.order]));
    const orders = generated.map((order) => replaced.get(order) ?? order);
    const changes = demo.plan.isSoldOut ? [] : generated.flatMap((order) => changeOf(random, order));
    const kept = changes.filter(({ orderId }) => !atCounter.some(({ replaces }) => replaces.orderId === orderId));
    return [
      ...orders.map((order): DemoActivity => ({ kind: 'order', order })),
      ...atCounter.flatMap(({ order: { orderId }, payment }): DemoActivity[] =>
        payment === undefined ? [] : [{ kind: 'payment', orderId, payment }],
      ),
      ...kept.map((change): DemoActivity => ({ kind: 'change', ...change })),
      ...(isOver ? scansOf(random, seasonPlan, demo, orders) : []).map(
        (scan): DemoActivity => ({ kind: 'scan', scan }),
      ),
    ];
  });
}

function changeOf(random: DemoRandom, order: NewOrder): { readonly orderId: number; readonly change: TicketsChange }[] {
  const { orderId, tickets } = order;
  const chance = random.next();
  if (chance < 0.04) return [{ orderId, change: { tickets: 'all', to: 'refunded' } }];
  if (chance < 0.06) return [{ orderId, change: { tickets: 'all', to: 'cancelled' } }];
  if (chance < 0.09 && tickets.length > 1) return [{ orderId, change: { tickets: [orderId + 1], to: 'refunded' } }];
  return [];
}

/** Most ticket holders arrive in the hour before the event. A few tickets are scanned twice or after a refund, some codes belong to no ticket. */
function scansOf(random: DemoRandom, { gates }: SeasonPlan, { event }: DemoEvent, orders: readonly NewOrder[]): Scan[] {
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
  const unknown = random.chance(0.6) ? [read(`POSTER-${random.between(100, 999)}`, arrival())] : [];
  return [...scans, ...unknown].sort((one, other) => one.receivedMs - other.receivedMs);
}
