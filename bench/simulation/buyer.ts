import * as v from 'valibot';
import type { SeatMap } from '../../shared/domain/seats/seat-map.ts';
import { addBasketItem } from '../../shared/operations/baskets/add-basket-item.ts';
import { addBasketSeats } from '../../shared/operations/baskets/add-basket-seats.ts';
import { applyCode } from '../../shared/operations/baskets/apply-code.ts';
import { cancelBasket } from '../../shared/operations/baskets/cancel-basket.ts';
import { checkOutBasket } from '../../shared/operations/baskets/check-out-basket.ts';
import { openBasket } from '../../shared/operations/baskets/open-basket.ts';
import { preparePayment } from '../../shared/operations/baskets/prepare-payment.ts';
import { listEventPrices } from '../../shared/operations/events/list-event-prices.ts';
import { retrieveEventSeats } from '../../shared/operations/events/retrieve-event-seats.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { shopOrigin } from '../../tools/fixtures/storefront.ts';
import type { Intent } from '../../tools/fixtures/stripe-intents.ts';
import { addressOfBuyer, customerFields } from './arrivals.ts';
import type { SimulatedCloud } from './cloud.ts';
import { providerFailed, type Request, type Response } from './lambda.ts';
import { fromStorefront, type OnSale } from './on-sale-event.ts';
import { isInProgress, type SaleOutcome } from './sale-outcome.ts';
import { PhasedBuyer, type SalePhases } from './sale-phases.ts';
import { sectionsOfPrice } from './seated-event.ts';
import type { SimulatedStripe } from './simulated-stripe.ts';
import { seatPatienceMs, takeSeats } from './take-seats.ts';

export interface Sale extends OnSale {
  readonly buyers: number;
  readonly cloud: SimulatedCloud;
  readonly stripe: SimulatedStripe;
  /** Makes the order of a payment that Stripe reports. */
  readonly report: (intent: Intent) => void;
  readonly outcome: SaleOutcome;
  /** Undefined if everyone can buy from the beginning. */
  readonly phases: SalePhases | undefined;
  /** Until then tickets may be released: the buyers who found none come back. */
  endMs: number;
}

/** A basket is released 15 minutes after it was opened, by a sweeper that runs each minute. */
const releasedAfterMs = 18 * 60_000;

const maxRetries = 4;

interface BuyerRequest {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly body?: Record<string, string>;
}

const PriceRows = v.array(v.object({ price_id: v.unknown(), status: v.string() }));
const PreparedPayment = v.object({ payment: v.object({ client_secret: v.string() }) });

/** One buyer. What buyers do, and how often, are assumptions: ADR 41 lists them. */
export class Buyer {
  readonly #sale: Sale;
  readonly #index: number;
  readonly #quantity: number;
  readonly #address: string;
  readonly #customer: Readonly<Record<string, string>>;
  #hasAsked = false;
  #keys = 0;
  #basketToken: string | undefined;
  readonly #phased: PhasedBuyer | undefined;
  readonly #impatientMs: number;

  constructor(sale: Sale, index: number) {
    this.#sale = sale;
    this.#impatientMs = sale.cloud.time.nowMs() + (sale.map === undefined ? Number.POSITIVE_INFINITY : seatPatienceMs);
    this.#index = index;
    this.#quantity = 1 + Math.floor(sale.cloud.random() ** 2 * 4);
    this.#address = addressOfBuyer(sale.cloud.random, index, sale.buyers);
    this.#phased = sale.phases && new PhasedBuyer(sale.phases, index);
    this.#customer = { email: `buyer${index}@example.com`, first_name: 'Ada', last_name: `Buyer ${index}` };
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
      if (result === 'not open') {
        await cloud.time.sleep(this.#phased?.waitMs(cloud.time.nowMs()) ?? 0);
        await this.#wait(0, 20);
        continue;
      }
      await this.#wait(120, 420);
      const nowMs = cloud.time.nowMs();
      if (nowMs < this.#sale.endMs && nowMs < this.#impatientMs) continue;
      if (nowMs >= this.#sale.endMs) outcome.unserved += this.#quantity;
      return;
    }
  }

  async #visit(): Promise<'done' | 'sold out' | 'refused' | 'not open'> {
    const { outcome, eventId } = this.#sale;
    // The browser keeps the answer to its preflight request. Simple forms need none.
    if (!this.#hasAsked && (await this.#preflight()).status !== 204) return 'refused';
    this.#hasAsked = true;
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
    const params = { basket_id: basketId };
    await this.#phased?.applyWord((code) => this.#send(applyCode, { params, body: { code } }));
    const held = await this.#hold(basketId, wanted);
    if (held !== 'held') return held;
    // Whatever becomes of this basket, its tickets may be for sale again until then, and the last buyers have time to come back.
    this.#sale.endMs = Math.max(this.#sale.endMs, this.#sale.cloud.time.nowMs() + releasedAfterMs + 420_000);
    await this.#wait(20, 150);
    if (this.#chance(0.15)) {
      outcome.abandoned += 1;
      if (this.#chance(0.25) && (await this.#preflight()).status === 204) {
        await this.#send(cancelBasket, { params });
      }
      return 'done';
    }
    return this.#pay(basketId);
  }

  /** Popular prices first: the first price is wanted by half of those who can choose it, the next by half of the others. */
  #choosePrice({ body }: Response): unknown {
    const available = v.parse(PriceRows, body.data).filter(({ status }) => status === 'active');
    const chosen = available.find(() => this.#chance(0.5)) ?? available.at(-1);
    return chosen?.price_id;
  }

  async #hold(basketId: string, priceId: unknown): Promise<'held' | 'sold out' | 'refused' | 'not open'> {
    const { outcome, cloud, map } = this.#sale;
    const added =
      map === undefined
        ? await this.#addTickets(basketId, priceId)
        : await this.#addSeats(basketId, Number(priceId), map);
    if (added.status === 200) {
      outcome.holds.add(cloud.time.nowMs());
      return 'held';
    }
    if (added.status === 403) return 'not open';
    return added.status === 409 ? 'sold out' : 'refused';
  }

  #addTickets(basketId: string, priceId: unknown): Promise<Response> {
    const body = { price_id: String(priceId), quantity: String(this.#quantity), idempotency_key: this.#newKey() };
    return this.#twice(addBasketItem, { params: { basket_id: basketId }, body });
  }

  #addSeats(basketId: string, priceId: number, map: SeatMap): Promise<Response> {
    const { eventId, cloud } = this.#sale;
    return takeSeats({
      map,
      priceId,
      size: this.#quantity,
      random: cloud.random,
      sections: sectionsOfPrice(map, this.#sale, priceId),
      take: (fields) =>
        this.#twice(addBasketSeats, {
          params: { basket_id: basketId },
          body: { ...fields, idempotency_key: this.#newKey() },
        }),
      look: (section) => this.#send(retrieveEventSeats, { params: { event_id: String(eventId) }, query: { section } }),
      think: () => this.#wait(2, 10),
    });
  }

  /** Some click twice: the same request again before its response. */
  async #clickAgain(operation: Operation, request: BuyerRequest): Promise<void> {
    if (!this.#chance(0.08)) return;
    await this.#sale.cloud.time.sleep(150 + 400 * this.#sale.cloud.random());
    await this.#sale.cloud.api.send(operation, this.#signed(request));
  }

  /**
   * The buyer pays with the component of Stripe: a quarter of the cards need 3-D Secure, one in twenty of them fails it, and some
   * try a second card. The service knows nothing of this before the checkout, or before Stripe reports the payment.
   */
  async #pay(basketId: string): Promise<'done' | 'refused'> {
    const params = { basket_id: basketId };
    this.#phased?.beginToPay(this.#sale.cloud.time.nowMs());
    const prepared = await this.#twice(preparePayment, { params, body: customerFields(this.#customer) });
    // A phase may end while the buyer types: the basket is left.
    if (prepared.status !== 200) return [403, 409].includes(prepared.status) ? 'done' : 'refused';
    await this.#wait(8, 30);
    const has3ds = this.#chance(0.25);
    if (has3ds) await this.#wait(15, 60);
    const isDeclined = this.#chance(0.06);
    if (isDeclined) await this.#wait(10, 40);
    const hasGivenUp = (has3ds && this.#chance(0.05)) || (isDeclined && this.#chance(0.3));
    const { client_secret } = v.parse(PreparedPayment, prepared.body).payment;
    const paid = hasGivenUp ? undefined : this.#sale.stripe.pay(client_secret);
    if (paid === undefined) {
      this.#sale.outcome.abandoned += 1;
      return 'done';
    }
    this.#sale.report(paid);
    // One in two hundred closes the window: the order is made without them.
    if (this.#chance(0.005)) return 'done';
    await this.#wait(1, 3);
    return this.#afterPayment(await this.#twice(checkOutBasket, { params, body: customerFields(this.#customer) }));
  }

  async #twice(operation: Operation, request: BuyerRequest): Promise<Response> {
    const [response] = await Promise.all([this.#send(operation, request), this.#clickAgain(operation, request)]);
    return response;
  }

  #afterPayment({ status, body }: Response): 'done' | 'refused' {
    const { outcome, cloud } = this.#sale;
    if (status !== 201) return status === 409 || status === 402 ? 'done' : 'refused';
    outcome.orders.add(cloud.time.nowMs());
    this.#phased?.countOrder(outcome);
    const own = outcome.confirmed.get(this.#index) ?? new Set();
    outcome.confirmed.set(this.#index, own.add(String(body.order_id)));
    return 'done';
  }

  /** Sends a request, and again after the time that a refusal names. */
  #send(operation: Operation, request: BuyerRequest): Promise<Response> {
    return this.#repeated(() => this.#sale.cloud.api.send(operation, this.#signed(request)));
  }

  #preflight(): Promise<Response> {
    return this.#repeated(() => this.#sale.cloud.api.preflight(this.#address));
  }

  async #repeated(send: () => Promise<Response>): Promise<Response> {
    const { cloud, outcome } = this.#sale;
    for (let attempt = 1; ; attempt += 1) {
      const response = await send();
      const isLater = isInProgress(response);
      if (response.status !== 429 && response.status !== 503 && !isLater) return response;
      if (response.outcome !== providerFailed && !isLater) outcome.refusals.add(cloud.time.nowMs());
      if (attempt > maxRetries) return response;
      await cloud.time.sleep(1_000 * (response.retryAfterSeconds + cloud.random() * attempt));
    }
  }

  /** As the sample shop sends it: a purchase in simple forms, everything else with headers. */
  #signed({ body, ...request }: BuyerRequest): Request {
    const { storefrontToken: token } = this.#sale;
    const address = this.#address;
    const basketToken = this.#basketToken;
    if (body === undefined) return { ...fromStorefront(request, { token, basketToken, client: 0 }), address };
    const tokens = { storefront_token: token, ...(basketToken !== undefined && { basket_token: basketToken }) };
    const form = new URLSearchParams({ ...body, ...tokens }).toString();
    return { ...request, headers: { Origin: shopOrigin }, form, address };
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
