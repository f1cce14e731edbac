import type { Random } from '../../local/cloud/dynamodb/physics/random.ts';
import { addBasketItem } from '../../shared/operations/baskets/add-basket-item.ts';
import { cancelBasket } from '../../shared/operations/baskets/cancel-basket.ts';
import { checkOutBasket } from '../../shared/operations/baskets/check-out-basket.ts';
import { openBasket } from '../../shared/operations/baskets/open-basket.ts';
import { listEventPrices } from '../../shared/operations/events/list-event-prices.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import type { SimulatedCloud } from './cloud.ts';
import { paymentUnknown, type Request, type Response } from './lambda.ts';
import { fromStorefront, type OnSale } from './on-sale-event.ts';
import { Timeline } from './statistics.ts';

/** What the buyers saw. */
export interface SaleOutcome {
  readonly holds: Timeline;
  readonly orders: Timeline;
  readonly refusals: Timeline;
  /** The ids of the orders that were confirmed to a buyer, by the buyer. */
  readonly confirmed: Map<number, Set<string>>;
  /** Tickets that buyers wanted and did not get, because nothing was left. */
  unserved: number;
  /** Buyers who gave up, because the service refused their requests too often. */
  gaveUp: number;
  abandoned: number;
}

const saleOperations: readonly Operation[] = [listEventPrices, openBasket, addBasketItem, checkOutBasket, cancelBasket];

interface Sale extends OnSale {
  readonly cloud: SimulatedCloud;
  readonly outcome: SaleOutcome;
  /** Until then tickets may be released: the buyers who found none come back. */
  endMs: number;
}

/** A basket is released 15 minutes after it was opened, by a sweeper that runs each minute. */
const releasedAfterMs = 18 * 60_000;

/** Lets buyers arrive over `minutes`: a burst at the opening that decays, and returns when the last one has finished. */
export async function runSale(
  cloud: SimulatedCloud,
  onSale: OnSale,
  { buyers, minutes }: { readonly buyers: number; readonly minutes: number },
): Promise<SaleOutcome> {
  for (const operation of saleOperations) await cloud.api.load(operation);
  const { time, random } = cloud;
  const startMs = time.nowMs();
  const outcome: SaleOutcome = {
    holds: new Timeline(startMs),
    orders: new Timeline(startMs),
    refusals: new Timeline(startMs),
    confirmed: new Map(),
    unserved: 0,
    gaveUp: 0,
    abandoned: 0,
  };
  const sale = { ...onSale, cloud, outcome, endMs: startMs + minutes * 60_000 };
  const arrivals = Array.from({ length: buyers }, () => arrivalMs(random, minutes));
  await Promise.all(
    arrivals.map(async (ms, index) => {
      await time.sleep(ms);
      await new Buyer(sale, index).buy();
    }),
  );
  return outcome;
}

/** Six in ten come in the first minutes, the others over the whole time. */
function arrivalMs(random: Random, minutes: number): number {
  const wholeMs = minutes * 60_000;
  const meanMs = random() < 0.6 ? wholeMs / 13 : wholeMs / 2.5;
  for (;;) {
    const ms = -Math.log(1 - random()) * meanMs;
    if (ms < wholeMs) return ms;
  }
}

const maxRetries = 4;

/** One buyer. What buyers do, and how often, are assumptions: ADR 41 lists them. */
class Buyer {
  readonly #sale: Sale;
  readonly #index: number;
  readonly #quantity: number;
  #keys = 0;
  #basketToken: string | undefined;

  constructor(sale: Sale, index: number) {
    this.#sale = sale;
    this.#index = index;
    this.#quantity = 1 + Math.floor(sale.cloud.random() ** 2 * 4);
  }

  /** Comes back while tickets may be released, until it has tickets or gives up. */
  async buy(): Promise<void> {
    const { cloud, outcome } = this.#sale;
    for (;;) {
      const result = await this.#visit();
      if (result === 'done') return;
      if (result === 'refused') {
        outcome.gaveUp += 1;
        return;
      }
      await this.#wait(120, 420);
      if (cloud.time.nowMs() < this.#sale.endMs) continue;
      outcome.unserved += this.#quantity;
      return;
    }
  }

  async #visit(): Promise<'done' | 'sold out' | 'refused'> {
    const { outcome, eventId } = this.#sale;
    const prices = await this.#send(listEventPrices, { params: { event_id: String(eventId) } });
    if (prices.status !== 200) return 'refused';
    const wanted = this.#choosePrice(prices);
    if (wanted === undefined) return 'sold out';
    await this.#wait(2, 12);
    this.#basketToken = undefined;
    const opened = await this.#send(openBasket, { body: { org: this.#sale.orgId } });
    if (opened.status !== 201) return 'refused';
    this.#basketToken = String(opened.body.basket_token);
    const basketId = String(opened.body.id);
    const held = await this.#hold(basketId, wanted);
    if (held !== 'held') return held;
    // Whatever becomes of this basket, its tickets may be for sale again until then, and the last buyers have time to come back.
    this.#sale.endMs = Math.max(this.#sale.endMs, this.#sale.cloud.time.nowMs() + releasedAfterMs + 420_000);
    await this.#wait(20, 150);
    if (this.#chance(0.15)) {
      outcome.abandoned += 1;
      if (this.#chance(0.25)) await this.#send(cancelBasket, { params: { basket_id: basketId } });
      return 'done';
    }
    return this.#pay(basketId);
  }

  /** Popular prices first: the first price is wanted by half of those who can choose it, the next by half of the others. */
  #choosePrice({ body }: Response): unknown {
    const available = Array.from(Object(body.data), (price) => Object(price)).filter(
      ({ status }) => status === 'active',
    );
    const chosen = available.find(() => this.#chance(0.5)) ?? available.at(-1);
    return chosen?.price_id;
  }

  async #hold(basketId: string, priceId: unknown): Promise<'held' | 'sold out' | 'refused'> {
    const { outcome, cloud } = this.#sale;
    const request = {
      params: { basket_id: basketId },
      headers: { 'Idempotency-Key': this.#newKey() },
      body: { price_id: priceId, quantity: this.#quantity },
    };
    const [added] = await Promise.all([this.#send(addBasketItem, request), this.#clickAgain(addBasketItem, request)]);
    if (added.status === 200) {
      outcome.holds.add(cloud.time.nowMs());
      return 'held';
    }
    return added.status === 409 ? 'sold out' : 'refused';
  }

  /** Some click twice: the same request again before its response. */
  async #clickAgain(operation: Operation, request: Request): Promise<void> {
    if (!this.#chance(0.08)) return;
    await this.#sale.cloud.time.sleep(150 + 400 * this.#sale.cloud.random());
    await this.#sale.cloud.api.send(operation, this.#signed(request));
  }

  async #pay(basketId: string): Promise<'done' | 'refused'> {
    // A quarter of the cards need 3-D Secure, which the buyer completes with the bank before the checkout. Some fail it.
    if (this.#chance(0.25)) {
      await this.#wait(15, 60);
      if (this.#chance(0.05)) {
        this.#sale.outcome.abandoned += 1;
        return 'done';
      }
    }
    const first = this.#chance(0.06) ? 'pm_card_declined' : this.#card();
    const paid = await this.#checkOut(basketId, first);
    if (paid.status !== 402) return this.#afterPayment(paid);
    await this.#wait(10, 40);
    if (this.#chance(0.3)) {
      this.#sale.outcome.abandoned += 1;
      return 'done';
    }
    return this.#afterPayment(await this.#checkOut(basketId, 'pm_card_visa'));
  }

  /** One in two hundred payments gets no answer; half of these are paid. */
  #card(): string {
    if (!this.#chance(0.005)) return 'pm_card_visa';
    return this.#chance(0.5) ? 'pm_card_late' : 'pm_card_timeout';
  }

  async #checkOut(basketId: string, card: string): Promise<Response> {
    const request = {
      params: { basket_id: basketId },
      headers: { 'Idempotency-Key': this.#newKey() },
      body: {
        customer: { email: `buyer${this.#index}@example.com`, first_name: 'Ada', last_name: `Buyer ${this.#index}` },
        payment_method: card,
      },
    };
    const [paid] = await Promise.all([this.#send(checkOutBasket, request), this.#clickAgain(checkOutBasket, request)]);
    return paid;
  }

  #afterPayment({ status, body }: Response): 'done' | 'refused' {
    const { outcome, cloud } = this.#sale;
    if (status !== 201) return status === 409 || status === 402 ? 'done' : 'refused';
    outcome.orders.add(cloud.time.nowMs());
    const own = outcome.confirmed.get(this.#index) ?? new Set();
    outcome.confirmed.set(this.#index, own.add(String(body.order_id)));
    return 'done';
  }

  /** Sends a request, and again after the time that a refusal names. */
  async #send(operation: Operation, request: Request): Promise<Response> {
    const { cloud, outcome } = this.#sale;
    for (let attempt = 1; ; attempt += 1) {
      const response = await cloud.api.send(operation, this.#signed(request));
      if (response.status !== 429 && response.status !== 503) return response;
      if (response.outcome !== paymentUnknown) outcome.refusals.add(cloud.time.nowMs());
      if (attempt > maxRetries) return response;
      await cloud.time.sleep(1_000 * (response.retryAfterSeconds + cloud.random() * attempt));
    }
  }

  #signed(request: Request): Request {
    return fromStorefront(request, {
      token: this.#sale.storefrontToken,
      basketToken: this.#basketToken,
      client: this.#index,
    });
  }

  #newKey(): string {
    this.#keys += 1;
    return `buyer-${this.#index}-${this.#keys}`;
  }

  #chance(probability: number): boolean {
    return this.#sale.cloud.random() < probability;
  }

  #wait(fromSeconds: number, toSeconds: number): Promise<void> {
    const { time, random } = this.#sale.cloud;
    return time.sleep(1_000 * (fromSeconds + random() * (toSeconds - fromSeconds)));
  }
}
