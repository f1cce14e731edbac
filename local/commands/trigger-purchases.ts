import * as v from 'valibot';
import { CommandError, type RunningGateline } from './running.ts';

/** What a scenario works with. */
export interface Actor extends RunningGateline {
  /** Runs a command of the operator's CLI on the local run. */
  admin(...args: readonly string[]): Promise<void>;
}

const Id = v.union([v.string(), v.number()]);
export const ListOf = <Item extends v.GenericSchema>(item: Item) => v.object({ data: v.array(item) });
const Order = v.object({
  order_id: v.number(),
  event_id: v.string(),
  tickets: v.array(v.object({ ticket_id: v.number(), barcode: v.string() })),
});

const Offer = v.object({ event_id: v.string(), reserved_seating: v.boolean(), sold_out: v.boolean() });
const Price = v.object({ price_id: Id, membership_type_id: v.optional(v.unknown()) });

export const customer = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' };

export async function buyTicket(
  actor: Actor,
  card = 'pm_card_visa',
  buyer = customer,
): Promise<v.InferOutput<typeof Order>> {
  const basketId = await fillBasket(actor);
  const payment = { customer: buyer, payment_method: card };
  return v.parse(Order, await actor.call('POST', `/v1/baskets/${basketId}/checkout`, payment));
}

/** Staff sell two tickets that are paid for later. */
export async function buyOnInvoice(actor: Actor): Promise<v.InferOutput<typeof Order>> {
  const basketId = await fillBasket(actor, 'counter');
  const tender = { kind: 'invoice', due_unix: Math.floor(Date.now() / 1000) + 30 * 86_400 };
  return v.parse(Order, await actor.call('POST', `/v1/baskets/${basketId}/checkout`, { customer, tender }));
}

/** A basket with two tickets. */
async function fillBasket(actor: Actor, channel: 'online' | 'counter' = 'online'): Promise<string> {
  const events = v.parse(ListOf(Offer), await actor.call('GET', '/v1/events?event_status_id=1'));
  const onSale = events.data.filter(({ reserved_seating, sold_out }) => !reserved_seating && !sold_out);
  for (const { event_id } of onSale) {
    const prices = v.parse(ListOf(Price), await actor.call('GET', `/v1/events/${event_id}/prices`));
    for (const { price_id } of prices.data) {
      const basketId = await addToBasket(actor, price_id, channel).catch(refused);
      if (basketId !== undefined) return basketId;
    }
  }
  throw new CommandError(
    'The demo has no ticket on sale. Start again with new data: rm -r .local/data, then npm start',
  );
}

/** A price may be sold out, for members only, or not for sale online. The next one may do. */
export function refused(error: unknown): undefined {
  if (!(error instanceof CommandError)) throw error;
  return undefined;
}

async function addToBasket(actor: Actor, priceId: string | number, channel: 'online' | 'counter'): Promise<string> {
  const opened = await actor.call('POST', '/v1/baskets', { org: actor.orgId, channel });
  const { id } = v.parse(v.object({ id: v.string() }), opened);
  await actor.call('POST', `/v1/baskets/${id}/items`, { price_id: priceId, quantity: 2 });
  return id;
}

const Prepared = v.object({
  payment: v.object({ next_action: v.object({ redirect_to_url: v.object({ url: v.string() }) }) }),
});

/** The buyer approves the payment on the page of the sandbox, and disputes it when the order exists. */
export async function disputeOrder(actor: Actor): Promise<void> {
  const basketId = await fillBasket(actor);
  const { payment } = v.parse(Prepared, await actor.call('POST', `/v1/baskets/${basketId}/payment`, { customer }));
  const decide = async (decision: string): Promise<void> => {
    const response = await fetch(payment.next_action.redirect_to_url.url, {
      method: 'POST',
      body: new URLSearchParams({ decision }),
    });
    if (!response.ok) throw new CommandError(`The page of the sandbox answered ${response.status} to ${decision}.`);
  };
  await decide('approve');
  await actor.call('POST', `/v1/baskets/${basketId}/checkout`, { customer });
  await decide('dispute');
}
