import type { CustomerRecord } from '../../shared/domain/customers/customer.ts';
import { idOf, idsPerSecond } from '../../shared/domain/ids.ts';
import { shareOf } from '../../shared/domain/money.ts';
import { type Buyer, type NewOrder, orderIdStep, type SoldTicket } from '../../shared/domain/orders/order.ts';
import { alphabet } from '../../shared/platform/random-text.ts';
import { type DemoSeats, MapSeats, NamedSeats } from './demo-seats.ts';
import type { DemoEvent } from './events.ts';
import type { DemoRandom } from './random.ts';
import type { SeasonPlan } from './season-plan.ts';

type DemoPrice = DemoEvent['prices'][number];

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
const barcodeLength = 18;

/** Generates the demo's orders, with unique ids, barcodes and seats. */
export class DemoSales {
  readonly #random: DemoRandom;
  readonly #seasonPlan: SeasonPlan;
  readonly #customers: readonly CustomerRecord[];
  readonly #orderIds = new Set<number>();

  constructor(random: DemoRandom, seasonPlan: SeasonPlan, customers: readonly CustomerRecord[]) {
    this.#random = random;
    this.#seasonPlan = seasonPlan;
    this.#customers = customers;
  }

  /** The orders of an event up to today, oldest first. */
  ordersOf(demo: DemoEvent, todayUnix: number): NewOrder[] {
    const { event, plan, prices } = demo;
    const opens = prices[0]?.price.availableFromUnix ?? 0;
    const closes = Math.min(event.startUnix - hour, todayUnix);
    if (closes <= opens) return [];
    const placed = Array.from({ length: plan.orders }, () => this.#random.between(opens, closes));
    const seats =
      plan.sells === undefined ? new NamedSeats() : new MapSeats(plan.sells.map, demo.seatsOfMembers.keys());
    return placed.sort((a, b) => a - b).map((placedUnix) => this.#sell(demo, placedUnix, seats));
  }

  #sell(demo: DemoEvent, placedUnix: number, seats: DemoSeats): NewOrder {
    const random = this.#random;
    const buyer = this.#buyer();
    const chosenPrices = [this.#price(demo), ...(random.chance(0.15) ? [this.#price(demo)] : [])];
    const tickets = chosenPrices.flatMap((demoPrice) => this.#tickets(demo, demoPrice, buyer, seats));
    const isFree = tickets.every(({ faceMinor }) => faceMinor === 0);
    const isBoxOffice = buyer.emailAddress === null;
    const paidBy = isBoxOffice ? 'cash' : 'card';
    return {
      ...buyer,
      orderId: this.#orderId(placedUnix),
      orderUuid: this.#uuid(),
      eventId: demo.event.eventId,
      placedUnix,
      currency: demo.event.currency,
      status: 'confirmed',
      transactionFeeMinor: isFree || isBoxOffice ? 0 : 50,
      discountMinor: !isFree && random.chance(0.06) ? 500 : 0,
      paymentMethod: isFree ? null : paidBy,
      tickets,
    };
  }

  #price({ prices }: DemoEvent): DemoPrice {
    const [first, ...others] = prices.filter(({ plan }) => plan.weight > 0);
    if (first === undefined) throw new Error('The event has no price with a weight.');
    const weigh = (demoPrice: DemoPrice) => ({ demoPrice, weight: demoPrice.plan.weight });
    return this.#random.weighted([weigh(first), ...others.map(weigh)]).demoPrice;
  }

  #tickets({ plan, categories, event }: DemoEvent, { price }: DemoPrice, buyer: Buyer, seats: DemoSeats): SoldTicket[] {
    const { ticketsIncluded: people } = price;
    const category = categories.find(({ categoryId }) => categoryId === price.categoryId);
    const purchases = people > 1 ? 1 : this.#random.weighted(quantities).tickets;
    const holder = [buyer.firstName, buyer.lastName].filter(Boolean).join(' ');
    const share = (minor: number, at: number): number =>
      shareOf(minor, { count: people, index: at % people, currency: event.currency });
    const count = purchases * people;
    const taken = plan.seats === 'reserved' && category !== undefined ? seats.take(category, count) : [];
    return Array.from({ length: count }, (_, at) => ({
      barcode: this.#letters(barcodeLength),
      priceId: price.priceId,
      priceIndex: price.index,
      priceTitle: price.title,
      ...(price.selfCancel !== null && { selfCancel: price.selfCancel }),
      categoryId: price.categoryId,
      categoryTitle: category?.title ?? '',
      ticketName: at === 0 && holder !== '' ? holder : null,
      holderMemberId: null,
      faceMinor: share(price.priceMinor, at),
      rebateMinor: share(price.rebateMinor, at),
      serviceFeeMinor: share(price.serviceFeeMinor, at),
      serviceTaxMinor: share(price.serviceTaxMinor, at),
      discountMinor: 0,
      taxMinor: 0,
      poolIndex: price.poolIndex,
      ownStock: price.ownStock,
      ...taken[at],
    }));
  }

  /** Mostly customers. The box office sells without a name. */
  #buyer(): Buyer {
    const random = this.#random;
    const noPerson = { userId: null, firstName: null, lastName: null, emailAddress: null, postcode: null };
    const anonymous = { ...noPerson, countryId: null, marketingOptIn: false };
    if (random.chance(0.08)) return anonymous;
    const customer = this.#customers[random.between(0, this.#customers.length - 1)];
    if (customer === undefined) return anonymous;
    const { userId, firstName, lastName, emailAddress, postcode, marketingEmails } = customer;
    return {
      userId,
      firstName,
      lastName,
      emailAddress,
      postcode,
      countryId: this.#seasonPlan.countryId,
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
    return Array.from({ length: count }, () => alphabet[this.#random.between(0, alphabet.length - 1)]).join('');
  }

  /** A version 4 UUID. */
  #uuid(): string {
    const hex = Array.from({ length: 32 }, () => this.#random.between(0, 15).toString(16)).join('');
    const variant = '89ab'[this.#random.between(0, 3)];
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}
