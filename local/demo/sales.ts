import type { CustomerRecord } from '../../shared/domain/customers/customer.ts';
import { idOf, idsPerSecond } from '../../shared/domain/ids.ts';
import { shareOf } from '../../shared/domain/money.ts';
import {
  type Buyer,
  type NewOrder,
  orderIdStep,
  type Seat,
  type SoldTicket,
} from '../../shared/domain/orders/order.ts';
import type { DemoEvent } from './events.ts';
import type { DemoRandom } from './random.ts';
import type { Programme } from './season-plan.ts';

type Offered = DemoEvent['prices'][number];

interface Quantity {
  readonly tickets: number;
  readonly weight: number;
}
const quantities: readonly [Quantity, ...Quantity[]] = [
  { tickets: 1, weight: 30 },
  { tickets: 2, weight: 45 },
  { tickets: 3, weight: 10 },
  { tickets: 4, weight: 15 },
];

const hour = 3_600;
const ordersPerSecond = idsPerSecond / orderIdStep;
/** As checkouts draw them: no I, L, O and U. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const barcodeLength = 18;

/** Sells tickets in the demo, and hands out ids, barcodes and seats, none of them twice. */
export class DemoSales {
  readonly #random: DemoRandom;
  readonly #programme: Programme;
  readonly #customers: readonly CustomerRecord[];
  readonly #orderIds = new Set<number>();

  constructor(random: DemoRandom, programme: Programme, customers: readonly CustomerRecord[]) {
    this.#random = random;
    this.#programme = programme;
    this.#customers = customers;
  }

  /** The orders of an event up to today, oldest first. */
  ordersOf(demo: DemoEvent, todayUnix: number): NewOrder[] {
    const { event, staged, prices } = demo;
    const opens = prices[0]?.price.availableFromUnix ?? 0;
    const closes = Math.min(event.startUnix - hour, todayUnix);
    if (closes <= opens) return [];
    const placed = Array.from({ length: staged.orders }, () => this.#random.between(opens, closes));
    const seats = new Seats();
    return placed.sort((a, b) => a - b).map((placedUnix) => this.#sell(demo, placedUnix, seats));
  }

  #sell(demo: DemoEvent, placedUnix: number, seats: Seats): NewOrder {
    const random = this.#random;
    const buyer = this.#buyer();
    const chosen = [this.#price(demo), ...(random.chance(0.15) ? [this.#price(demo)] : [])];
    const tickets = chosen.flatMap((offered) => this.#tickets(demo, offered, buyer, seats));
    const isFree = tickets.every(({ faceMinor }) => faceMinor === 0);
    const isAtDesk = buyer.emailAddress === null;
    const paidBy = isAtDesk ? 'cash' : 'card';
    return {
      ...buyer,
      orderId: this.#orderId(placedUnix),
      orderUuid: this.#uuid(),
      eventId: demo.event.eventId,
      placedUnix,
      currency: demo.event.currency,
      status: 'confirmed',
      transactionFeeMinor: isFree || isAtDesk ? 0 : 50,
      discountMinor: !isFree && random.chance(0.06) ? 500 : 0,
      paymentMethod: isFree ? null : paidBy,
      tickets,
    };
  }

  #price({ prices }: DemoEvent): Offered {
    const [first, ...others] = prices.filter(({ staged }) => staged.weight > 0);
    if (first === undefined) throw new Error('Nothing of the event is sold.');
    const weigh = (offered: Offered) => ({ offered, weight: offered.staged.weight });
    return this.#random.weighted([weigh(first), ...others.map(weigh)]).offered;
  }

  #tickets({ staged, categories }: DemoEvent, { price }: Offered, buyer: Buyer, seats: Seats): SoldTicket[] {
    const { ticketsIncluded: people } = price;
    const category = categories.find(({ categoryId }) => categoryId === price.categoryId);
    const purchases = people > 1 ? 1 : this.#random.weighted(quantities).tickets;
    const holder = [buyer.firstName, buyer.lastName].filter(Boolean).join(' ');
    return Array.from({ length: purchases * people }, (_, at) => ({
      barcode: this.#letters(barcodeLength),
      priceId: price.priceId,
      priceIndex: price.index,
      priceTitle: price.title,
      categoryId: price.categoryId,
      categoryTitle: category?.title ?? '',
      ticketName: at === 0 && holder !== '' ? holder : null,
      faceMinor: shareOf(price.priceMinor, people, at % people),
      rebateMinor: shareOf(price.rebateMinor, people, at % people),
      serviceFeeMinor: shareOf(price.serviceFeeMinor, people, at % people),
      serviceTaxMinor: shareOf(price.serviceTaxMinor, people, at % people),
      ...(staged.seats === 'reserved' && seats.next(category?.title ?? '')),
    }));
  }

  /** Mostly customers; at the box office nobody is asked for a name, and some leave one without becoming a customer. */
  #buyer(): Buyer {
    const random = this.#random;
    const nobody = { userId: null, firstName: null, lastName: null, emailAddress: null, postcode: null };
    const stranger = { ...nobody, countryId: null, marketingOptIn: false };
    if (random.chance(0.08)) return stranger;
    const customer = this.#customers[random.between(0, this.#customers.length - 1)];
    if (customer === undefined) return stranger;
    const { userId, firstName, lastName, emailAddress, postcode, marketingEmails } = customer;
    return {
      userId,
      firstName,
      lastName,
      emailAddress,
      postcode,
      countryId: this.#programme.countryId,
      marketingOptIn: marketingEmails,
    };
  }

  #orderId(placedUnix: number): number {
    const id = idOf(placedUnix, this.#random.between(1, ordersPerSecond - 1) * orderIdStep);
    if (this.#orderIds.has(id)) return this.#orderId(placedUnix);
    this.#orderIds.add(id);
    return id;
  }

  #letters(count: number): string {
    return Array.from({ length: count }, () => letters[this.#random.between(0, letters.length - 1)]).join('');
  }

  /** Version 4, as random ones are. */
  #uuid(): string {
    const hex = Array.from({ length: 32 }, () => this.#random.between(0, 15).toString(16)).join('');
    const variant = '89ab'[this.#random.between(0, 3)];
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}

const seatsPerRow = 18;

/** Rows from the front, seats side by side. */
class Seats {
  readonly #taken = new Map<string, number>();

  next(section: string): Seat {
    const taken = this.#taken.get(section) ?? 0;
    this.#taken.set(section, taken + 1);
    const row = String.fromCharCode('A'.charCodeAt(0) + (Math.floor(taken / seatsPerRow) % 26));
    return {
      sectionLabel: section,
      subSectionTitle: null,
      seatAisle: row,
      seatTitle: `${row}${(taken % seatsPerRow) + 1}`,
    };
  }
}
