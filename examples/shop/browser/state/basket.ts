import { useEffect, useState } from 'preact/hooks';
import type { Customer, NextStep } from '../../../site/browser/resources.ts';
import { config, loadConfig } from '../../../site/browser/state/config.ts';
import { hasCode } from '../../../site/browser/state/messages.ts';
import { ApiError, retried } from '../../../site/browser/state/request.ts';
import type { Basket, Holder, Order } from '../resources.ts';
import { askShop, type CallOptions, call } from './api.ts';
import { consentsOfBuyer } from './consents.ts';
import { remember, session, signedIn } from './session.ts';

/** The basket of this tab; undefined if there is none, or it is not loaded yet. */
let current: Basket | undefined;
const listeners = new Set<() => void>();

function show(basket: Basket | undefined): void {
  current = basket;
  if (basket?.event_id) remember({ eventId: basket.event_id });
  for (const listener of listeners) listener();
}

/** Whether it is not known yet if this tab has a basket. */
let isAsked = false;
export const isBasketLoading = (): boolean => current === undefined && !isAsked && session().basket !== undefined;

/** The basket, with every later change. */
export function useBasket(): Basket | undefined {
  const [, setChanges] = useState(0);
  useEffect(() => {
    const changed = (): void => setChanges((changes) => changes + 1);
    changed();
    listeners.add(changed);
    return () => void listeners.delete(changed);
  }, []);
  return current;
}

/** The path and the token of a basket that was opened in this tab. */
interface Reach {
  readonly path: string;
  readonly basketToken: string;
}

function reach(which: 'basket' | 'bought' = 'basket'): Reach | undefined {
  const opened = session()[which];
  return opened && { path: `/v1/baskets/${opened.id}`, basketToken: opened.token };
}

let reading: Promise<void> | undefined;

/** Reads the basket again: the service decides when it has expired. Parts of a page that ask at the same time share the answer. */
export function refreshBasket(): Promise<void> {
  reading ??= readBasket().finally(() => {
    reading = undefined;
  });
  return reading;
}

async function readBasket(): Promise<void> {
  const opened = reach();
  if (opened === undefined) return show(undefined);
  try {
    const basket = await call<Basket>('GET', opened.path, { basketToken: opened.basketToken });
    // It was paid or emptied meanwhile.
    if (reach()?.path !== opened.path) return;
    // The buyer paid and did not come back: the service has made the order meanwhile.
    if (basket.status === 'checked_out') return markAsBought(opened.path);
    show(basket);
  } catch (error) {
    // The data of the local run was deleted.
    if (hasCode(error, 'resource_not_found')) return forgetBasket();
    isAsked = true;
    show(current);
    throw error;
  }
}

/** Both the checkout and a page that reads the basket may be the first to see it. Another basket may be open when the second does. */
function markAsBought(path: string): void {
  if (reach()?.path !== path) return;
  const ended = { basket: undefined, paymentMethod: undefined, paymentChoice: undefined, wantsNews: undefined };
  remember({ bought: session().basket, ...ended });
  show(undefined);
}

/** Whether tickets can be added and removed. A payment that waits for the buyer is cancelled by a change. */
function isFillable(basket: Basket | undefined): boolean {
  return basket?.status === 'open' || basket?.status === 'checking_out';
}

/** The changes that are on their way. */
let changing: Promise<unknown> = Promise.resolve();

/** Sends changes one after the other and before the payment, so the last one wins, and what is pressed while another is on its way finds what that one leaves. */
function inTurn(change: () => Promise<void>): Promise<void> {
  const changed = changing.then(change);
  changing = changed.catch(() => {});
  return changed;
}

type NewItem =
  | { readonly price_id: number; readonly quantity: number }
  | { readonly membership_type_id: number; readonly holders?: readonly Holder[] }
  | { readonly renews: number }
  | { readonly replaces: number; readonly membership_type_id: number };

/** Adds tickets, a membership, the next term of one of the fan, or another one in its place. */
export const addItem = (item: NewItem, fan = signedIn()): Promise<void> => fill('items', { quantity: 1, ...item }, fan);

/** Applies what the fan typed, in place of another code. */
export const applyCode = (code: string): Promise<void> => fill('code', { code });

/** Adds seats: those that the buyer picked, or the best ones. All of them or none. */
export const addSeats = (body: object): Promise<void> => fill('seats', body);

/** Puts something into the basket, and opens one if there is none that can be filled. A repeated attempt adds it once. */
function fill(what: 'items' | 'seats' | 'code', body: object, fan: { readonly ssoToken?: string } = {}): Promise<void> {
  return inTurn(async () => {
    if (!isFillable(current)) await openBasket();
    await change('POST', what, { body, idempotencyKey: crypto.randomUUID(), simple: true, ...fan });
  });
}

/** Sends a change of the basket, and shows what it leaves. A removal is not repeated: what is gone cannot be found again. */
async function change(method: string, part: string, options: CallOptions): Promise<void> {
  const { path, basketToken } = reach() ?? unreachable();
  const request = () => call<Basket>(method, `${path}/${part}`, { basketToken, ...options });
  show(await (method === 'DELETE' ? request() : retried(request)));
}

async function openBasket(): Promise<void> {
  const [{ basket_token, ...basket }] = await Promise.all([
    call<Basket & { basket_token: string }>('POST', '/v1/baskets', { body: { org: config().orgId }, simple: true }),
    // The countdown begins, so the server's time matters now.
    loadConfig(),
  ]);
  remember({ basket: { id: basket.id, token: basket_token } });
  show(basket);
}

export const removeLine = (lineId: number): Promise<void> => inTurn(() => change('DELETE', `lines/${lineId}`, {}));

export const removeCode = (): Promise<void> => inTurn(() => change('DELETE', 'code', {}));

/** Takes over a basket that the organisation keeps for somebody, with the token of its link. */
export async function adoptBasket(id: string, token: string): Promise<void> {
  const basket = await call<Basket>('GET', `/v1/baskets/${id}`, { basketToken: token });
  remember({ basket: { id, token } });
  await loadConfig();
  show(basket);
}

/** Changes how many tickets a line has, or whom they are for. */
export const changeLine = (
  lineId: number,
  body: { readonly quantity?: number; readonly holders?: readonly Holder[] },
): Promise<void> => inTurn(() => change('PATCH', `lines/${lineId}`, { body, ...signedIn() }));

/** Gives all tickets back. An expired basket has none left to give back. */
export function emptyBasket(): Promise<void> {
  return inTurn(async () => {
    const opened = reach();
    if (opened !== undefined && isFillable(current)) {
      await call('DELETE', opened.path, { basketToken: opened.basketToken });
    }
    forgetBasket();
  });
}

export function forgetBasket(): void {
  remember({ basket: undefined });
  show(undefined);
}

/** The page to which the bank sends the buyer back. */
const returnUrl = (): string => `${location.origin}/payment`;

/** What a purchase says of the buyer: the same in each request, or it would be another purchase. */
function purchaseOf(customer: Customer): object {
  const { invoiceAddress, paymentChoice } = session();
  const receipt = invoiceAddress && { invoice_address: invoiceAddress };
  return { customer, ...receipt, ...paymentChoice, ...consentsOfBuyer() };
}

/** Creates a payment that the buyer makes on a page of the payment provider. */
export async function preparePayment(customer: Customer): Promise<NextStep> {
  await changing;
  const { path, basketToken } = reach() ?? unreachable();
  const body = { ...purchaseOf(customer), return_url: returnUrl() };
  const options = { body, basketToken, simple: true, ...signedIn() };
  return (await retried(() => call<{ payment: NextStep }>('POST', `${path}/payment`, options))).payment;
}

/**
 * Turns the basket into an order. The request can be repeated: a basket is paid once and becomes one order. Without a payment
 * method, the service asks the provider whether the buyer has paid.
 */
async function checkOut({ path, basketToken }: Reach, customer: Customer, paymentMethod: string | null): Promise<void> {
  const body = {
    ...purchaseOf(customer),
    ...(paymentMethod !== null && { payment_method: paymentMethod, return_url: returnUrl() }),
  };
  await retried(() => call<Order>('POST', `${path}/checkout`, { body, basketToken, simple: true, ...signedIn() }));
  markAsBought(path);
}

/** How often a payment that is not decided is asked for. */
const askAgainMs = 3_000;

/**
 * Checks out, and asks again while the payment is not decided. The service asks the provider by itself too, so the basket is read before
 * the request is repeated: one that is open again was not paid, and is not paid anew without the buyer.
 */
export async function awaitPayment(
  customer: Customer,
  paymentMethod: string | null,
  onWait: () => void,
): Promise<void> {
  await changing;
  const opened = reach() ?? unreachable();
  for (let isDecided = false; !isDecided; ) {
    try {
      await checkOut(opened, customer, paymentMethod);
      return;
    } catch (error) {
      if (!hasCode(error, 'payment_unknown', 'checkout_in_progress')) throw error;
      onWait();
      await new Promise((resolve) => setTimeout(resolve, askAgainMs));
      isDecided = await isBought(opened);
    }
  }
}

/** Whether the basket has become an order meanwhile. Refuses if it was not paid; false while that is not known. */
async function isBought({ path }: Reach): Promise<boolean> {
  await refreshBasket().catch(() => {});
  if (reach()?.path !== path) return true;
  if (current === undefined || current.status === 'checking_out') return false;
  const code = current.status === 'open' ? 'card_declined' : `basket_${current.status}`;
  throw new ApiError(409, { error: { code, message: 'The payment was not made.' } });
}

/** The order that was bought last in this tab. */
export async function boughtOrder(): Promise<Order | undefined> {
  const opened = reach('bought');
  return opened && (await call<Basket>('GET', opened.path, { basketToken: opened.basketToken })).order;
}

/** The links of tickets, by ticket id. */
export type Links = Readonly<Record<number, string | null>>;

/** The links of the tickets that were bought last in this tab, by ticket id. Only the shop's server can ask for them. */
export function boughtLinks(): Promise<Links> {
  const { bought } = session();
  return askShop('/ticket-links', { basket_id: bought?.id, basket_token: bought?.token });
}

function unreachable(): never {
  throw new Error('No basket is open.');
}
