import { handle as add } from '../../functions/api/baskets/add-basket-item.ts';
import { handle as addSomeSeats } from '../../functions/api/baskets/add-basket-seats.ts';
import { handle as applyOne } from '../../functions/api/baskets/apply-code.ts';
import { handle as cancel } from '../../functions/api/baskets/cancel-basket.ts';
import { handle as checkOutOne } from '../../functions/api/baskets/check-out-basket.ts';
import { handle as openOne } from '../../functions/api/baskets/open-basket.ts';
import { handle as prepareOne } from '../../functions/api/baskets/prepare-payment.ts';
import { handle as remove } from '../../functions/api/baskets/remove-basket-item.ts';
import { handle as removeOneLine } from '../../functions/api/baskets/remove-basket-line.ts';
import { handle as removeOneCode } from '../../functions/api/baskets/remove-code.ts';
import { handle as retrieve } from '../../functions/api/baskets/retrieve-basket.ts';
import { handle as updateOneLine } from '../../functions/api/baskets/update-basket-line.ts';
import { handle as listPrices } from '../../functions/api/events/list-event-prices.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { addBasketItem } from '../../shared/operations/baskets/add-basket-item.ts';
import { addBasketSeats } from '../../shared/operations/baskets/add-basket-seats.ts';
import { applyCode } from '../../shared/operations/baskets/apply-code.ts';
import { cancelBasket } from '../../shared/operations/baskets/cancel-basket.ts';
import { checkOutBasket } from '../../shared/operations/baskets/check-out-basket.ts';
import { openBasket } from '../../shared/operations/baskets/open-basket.ts';
import { preparePayment } from '../../shared/operations/baskets/prepare-payment.ts';
import { removeBasketItem } from '../../shared/operations/baskets/remove-basket-item.ts';
import { removeBasketLine } from '../../shared/operations/baskets/remove-basket-line.ts';
import { removeCode } from '../../shared/operations/baskets/remove-code.ts';
import { retrieveBasket } from '../../shared/operations/baskets/retrieve-basket.ts';
import { updateBasketLine } from '../../shared/operations/baskets/update-basket-line.ts';
import { listEventPrices } from '../../shared/operations/events/list-event-prices.ts';
import { callWithHeaders, type OperationCall, type ResponseWithHeaders } from './call-operation.ts';

export interface OpenBasket {
  readonly id: string;
  readonly token: string | undefined;
}

type Changes = Partial<OperationCall>;

/** The basket operations, as the page of a shop calls them. */
export class Shop {
  readonly #base: Pick<OperationCall, 'table' | 'nowMs' | 'bearer' | 'sourceIp'>;
  readonly #orgId: string;

  constructor(
    table: Table,
    orgId: string,
    bearer: string,
    { sourceIp = '203.0.113.7', nowMs = Date.UTC(2026, 10, 7, 12) } = {},
  ) {
    this.#orgId = orgId;
    this.#base = { table, nowMs, bearer, sourceIp };
  }

  open(changes: Changes = {}): Promise<ResponseWithHeaders> {
    return callWithHeaders(openBasket, openOne, { ...this.#base, body: { org: this.#orgId }, ...changes });
  }

  async opened(changes: Changes = {}): Promise<OpenBasket> {
    const { status, body } = await this.open(changes);
    if (status !== 201) throw new Error(JSON.stringify(body));
    return { id: String(body.id), token: body.basket_token === undefined ? undefined : String(body.basket_token) };
  }

  add(basket: OpenBasket, priceId: number, quantity = 1, changes: Changes = {}): Promise<ResponseWithHeaders> {
    return callWithHeaders(addBasketItem, add, this.#of(basket, { body: { price_id: priceId, quantity }, ...changes }));
  }

  addSeats(basket: OpenBasket, priceId: number, quantity: number): Promise<ResponseWithHeaders> {
    const body = { items: [{ price_id: priceId, quantity }] };
    return callWithHeaders(addBasketSeats, addSomeSeats, this.#of(basket, { body }));
  }

  remove(basket: OpenBasket, priceId: number): Promise<ResponseWithHeaders> {
    const params = { basket_id: basket.id, price_id: String(priceId) };
    return callWithHeaders(removeBasketItem, remove, this.#of(basket, { params }));
  }

  updateLine(basket: OpenBasket, lineId: number | string, body: unknown, changes: Changes = {}) {
    const params = { basket_id: basket.id, line_id: String(lineId) };
    return callWithHeaders(updateBasketLine, updateOneLine, this.#of(basket, { params, body, ...changes }));
  }

  removeLine(basket: OpenBasket, lineId: number | string): Promise<ResponseWithHeaders> {
    const params = { basket_id: basket.id, line_id: String(lineId) };
    return callWithHeaders(removeBasketLine, removeOneLine, this.#of(basket, { params }));
  }

  retrieve(basket: OpenBasket, changes: Changes = {}): Promise<ResponseWithHeaders> {
    return callWithHeaders(retrieveBasket, retrieve, this.#of(basket, changes));
  }

  applyCode(basket: OpenBasket, code: string): Promise<ResponseWithHeaders> {
    return callWithHeaders(applyCode, applyOne, this.#of(basket, { body: { code } }));
  }

  removeCode(basket: OpenBasket): Promise<ResponseWithHeaders> {
    return callWithHeaders(removeCode, removeOneCode, this.#of(basket, {}));
  }

  prices(eventId: number, code?: string, headers: Record<string, string> = {}): Promise<ResponseWithHeaders> {
    const query = code === undefined ? {} : { code };
    return callWithHeaders(listEventPrices, listPrices, {
      ...this.#base,
      params: { event_id: String(eventId) },
      query,
      headers,
    });
  }

  cancel(basket: OpenBasket): Promise<ResponseWithHeaders> {
    return callWithHeaders(cancelBasket, cancel, this.#of(basket, {}));
  }

  prepare(basket: OpenBasket, changes: Changes = {}): Promise<ResponseWithHeaders> {
    const body = { customer: { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' } };
    return callWithHeaders(preparePayment, prepareOne, this.#of(basket, { body, ...changes }));
  }

  checkOut(basket: OpenBasket, changes: Changes = {}): Promise<ResponseWithHeaders> {
    const customer = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' };
    const body = { customer, payment_method: 'pm_card_visa' };
    return callWithHeaders(checkOutBasket, checkOutOne, this.#of(basket, { body, ...changes }));
  }

  #of({ id, token }: OpenBasket, changes: Changes): OperationCall {
    const headers = { ...(token !== undefined && { 'X-Basket-Token': token }), ...changes.headers };
    return { ...this.#base, params: { basket_id: id }, ...changes, headers };
  }
}
