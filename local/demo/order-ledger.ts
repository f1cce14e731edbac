import { basketItem } from '../../shared/data/baskets/row.ts';
import type { CounterItem } from '../../shared/data/counters/counter-item.ts';
import { salesCounters } from '../../shared/data/counters/sales.ts';
import { salesShards } from '../../shared/data/counters/sales-shards.ts';
import { scanShards } from '../../shared/data/counters/scan-layout.ts';
import { scanCounters } from '../../shared/data/counters/scans.ts';
import { journalItem } from '../../shared/data/journal/journal-items.ts';
import { orderPositions } from '../../shared/data/orders/positions.ts';
import { orderItems } from '../../shared/data/orders/write.ts';
import { builtPositionItems } from '../../shared/data/positions/build.ts';
import { scanItem } from '../../shared/data/scans/row.ts';
import type { ItemKey } from '../../shared/data/table/keys.ts';
import type { PersonHash } from '../../shared/data/table/person-hash.ts';
import { type Basket, newBasket } from '../../shared/domain/baskets/basket.ts';
import { checkedOut } from '../../shared/domain/baskets/checkout.ts';
import type { MoneyMove } from '../../shared/domain/journal/money-moves.ts';
import { settledSale } from '../../shared/domain/journal/settlement.ts';
import { changeOrder, type TicketsChange } from '../../shared/domain/orders/change-order.ts';
import { countOrder } from '../../shared/domain/orders/counts.ts';
import {
  type NewOrder,
  type OrderRecord,
  type OrderWithTickets,
  orderProblem,
  orderRecords,
  type TicketRecord,
} from '../../shared/domain/orders/order.ts';
import { type NewPayment, payInvoice } from '../../shared/domain/orders/pay-invoice.ts';
import {
  evaluateScan,
  noPassages,
  type PassageLog,
  ticketSubject,
  unknownSubject,
} from '../../shared/domain/scans/evaluate.ts';
import { type Scan, type ScanRecord, scanSortKey } from '../../shared/domain/scans/scan.ts';
import { Fault } from '../../shared/platform/fault.ts';
import { demoHash } from './hash-key.ts';

type Item = ItemKey & Readonly<Record<string, unknown>>;

/**
 * Applies orders, refunds and scans in memory and returns the items of an empty table after all of them: the same rules, items
 * and counters as if each had been written separately. Writing generated data one by one would take hours.
 */
export class OrderLedger {
  readonly #orgId: string;
  readonly #spread: boolean;
  readonly #hash: PersonHash;
  readonly #orders = new Map<number, OrderWithTickets>();
  readonly #orderOfBarcode = new Map<string, number>();
  readonly #logs = new Map<string, PassageLog>();
  readonly #scans: Item[] = [];
  readonly #entries: Item[] = [];
  readonly #counters = new Map<string, { readonly key: ItemKey; readonly counts: Map<string, number> }>();

  /** Counters use one shard, or with `spread` all shards, as under concurrent writes. */
  constructor(
    orgId: string,
    { spread = false, hash = demoHash }: { readonly spread?: boolean; readonly hash?: PersonHash } = {},
  ) {
    this.#orgId = orgId;
    this.#hash = hash;
    this.#spread = spread;
  }

  place(newOrder: NewOrder): OrderWithTickets {
    const problem = orderProblem(newOrder);
    if (problem !== undefined) throw new Fault(`The order cannot be written: ${problem}.`);
    const recorded = orderRecords(newOrder);
    this.#orders.set(newOrder.orderId, recorded);
    for (const { barcode } of newOrder.tickets) this.#orderOfBarcode.set(barcode, newOrder.orderId);
    if (recorded.order.isBooked) this.#enter({ moved: 'sale', ...recorded, receivableMinor: 0 }, newOrder.placedUnix);
    return recorded;
  }

  /** Records what is received for an invoice. */
  pay(orderId: number, paid: NewPayment): OrderWithTickets {
    const before = this.#orders.get(orderId);
    if (before === undefined) throw new Fault(`There is no order ${orderId}.`);
    const recorded = payInvoice(before, paid);
    if (recorded.outcome !== 'paid') throw new Fault(`The order ${orderId} does not owe as much.`);
    const { after, payment } = recorded;
    this.#orders.set(orderId, after);
    this.#enter({ moved: 'payment', order: after.order, payment }, payment.atUnix);
    return after;
  }

  #enter(move: MoneyMove, atUnix: number): void {
    const item = journalItem(this.#orgId, move, atUnix * 1000);
    if (item !== undefined) this.#entries.push(item);
  }

  change(orderId: number, change: TicketsChange): OrderWithTickets {
    const before = this.#orders.get(orderId);
    if (before === undefined) throw new Fault(`There is no order ${orderId}.`);
    // A refund of it would need an entry, too.
    if (before.order.isBooked) throw new Fault(`The order ${orderId} is booked.`);
    const { after } = changeOrder(before, change);
    this.#orders.set(orderId, after);
    return after;
  }

  /** Scans are evaluated in the order of the calls. */
  scan(scan: Scan): ScanRecord {
    const ticket = this.#ticketOf(scan.barcode);
    const log = this.#logs.get(scan.barcode) ?? noPassages;
    const subject = ticket === undefined ? unknownSubject : ticketSubject(ticket, log, scan);
    const sortKey = scanSortKey(scan, this.#scans.length.toString(36).padStart(4, '0'));
    const evaluation = evaluateScan(subject, scan, sortKey);
    if (evaluation.log !== log) this.#logs.set(scan.barcode, evaluation.log);
    const { receivedMs: _, ...read } = scan;
    const record = { ...subject.facts, ...read, result: evaluation.result, sortKey };
    const shard = this.#shardOf(this.#scans.length, scanShards.count);
    this.#scans.push(scanItem(this.#orgId, record));
    this.#count(scanCounters(this.#orgId, { ...scan, ...evaluation }, shard));
    return record;
  }

  /** Yields all items of the table. Call it once, after the last order, change and scan. */
  *items(): Generator<Item> {
    const logOf = ({ barcode }: TicketRecord): PassageLog => this.#logs.get(barcode) ?? noPassages;
    let index = 0;
    for (const placed of this.#orders.values()) {
      const shard = this.#shardOf(index, salesShards.count);
      const { order } = placed;
      const settled = order.isBooked ? settledSale(placed) : undefined;
      const change = { counts: countOrder(placed), statuses: { [order.status]: 1 }, ...(settled && { settled }) };
      this.#count(salesCounters(this.#orgId, order, change, shard));
      index += 1;
      yield* orderItems(this.#orgId, placed, { hasBasket: order.isBooked, hash: this.#hash, logOf });
      if (order.isBooked) yield basketItem(this.#orgId, basketOf(order));
    }
    const trees = { orgId: this.#orgId, resource: 'orders' } as const;
    yield* builtPositionItems(
      trees,
      [...this.#orders.values()].map(({ order }) => orderPositions(order)),
    );
    yield* this.#scans;
    yield* this.#entries;
    for (const { key, counts } of this.#counters.values()) yield { ...key, ...nonZero(counts) };
  }

  /** A hash of the index: evenly distributed for any pattern of sales and scans, and the same in every run. */
  #shardOf(index: number, count: number): number {
    return this.#spread ? (Math.imul(index, 0x9e37_79b1) >>> 24) % count : 0;
  }

  #ticketOf(barcode: string): TicketRecord | undefined {
    const { tickets = [] } = this.#orders.get(this.#orderOfBarcode.get(barcode) ?? 0) ?? {};
    return tickets.find((ticket) => ticket.barcode === barcode);
  }

  #count(items: readonly CounterItem[]): void {
    for (const { key, counts } of items) {
      const name = `${key.pk} ${key.sk}`;
      const counter = this.#counters.get(name) ?? { key, counts: new Map<string, number>() };
      this.#counters.set(name, counter);
      for (const [attribute, count] of Object.entries(counts))
        counter.counts.set(attribute, (counter.counts.get(attribute) ?? 0) + count);
    }
  }
}

/** What the counter sold had a basket. It has no lines here: the order has what was sold. */
function basketOf({ orderId, orderUuid, eventId, currency, placedUnix }: OrderRecord): Basket {
  const opened = { ...newBasket(orderId, placedUnix, { channel: 'counter' }), eventId, currency };
  return checkedOut(opened, null, { uuid: orderUuid, placedUnix });
}

function nonZero(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].filter(([, count]) => count !== 0));
}
