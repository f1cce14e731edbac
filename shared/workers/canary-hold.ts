import * as v from 'valibot';
import { canaryOrgId } from '../domain/organisations/canary.ts';
import { Fault } from '../platform/fault.ts';

const Canary = v.object({
  address: v.string(),
  storefrontToken: v.string(),
  priceId: v.number(),
  /** Whether it also prepares the payment, which only the sandbox lets it do every minute. */
  pays: v.optional(v.boolean(), false),
});
export type Canary = v.InferInput<typeof Canary>;

export const parseCanary = (text: string): v.InferOutput<typeof Canary> => v.parse(Canary, JSON.parse(text));

const Prepared = v.object({ payment: v.object({ status: v.string() }) });
const Opened = v.object({ id: v.string(), basket_token: v.string() });

/** No mail is ever sent to it. */
const customer = { email: 'canary@gateline.invalid', first_name: 'Canary', last_name: 'Canary' };

/**
 * Holds a ticket as the page of a shop does, prepares its payment where the stage has the sandbox, and releases both. Throws what a buyer
 * would meet. No buyer waits longer than this.
 */
export async function holdAndRelease(
  { address, storefrontToken, priceId, pays = false }: Canary,
  timeoutMs = 8_000,
): Promise<void> {
  const call = async (method: string, path: string, body: object | undefined, basketToken = ''): Promise<unknown> => {
    const response = await fetch(`${address}v1/baskets${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${storefrontToken}`,
        ...(basketToken !== '' && { 'X-Basket-Token': basketToken }),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    if (!response.ok) throw new Fault(`${method} of the canary's basket is ${response.status}: ${text.slice(0, 300)}`);
    return JSON.parse(text);
  };
  const { id, basket_token } = v.parse(Opened, await call('POST', '', { org: canaryOrgId }));
  try {
    await call('POST', `/${id}/items`, { price_id: priceId, quantity: 1 }, basket_token);
    if (pays) v.parse(Prepared, await call('POST', `/${id}/payment`, { customer }, basket_token));
  } finally {
    await call('DELETE', `/${id}`, undefined, basket_token);
  }
}
