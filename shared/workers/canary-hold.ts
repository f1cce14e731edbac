import * as v from 'valibot';
import { canaryOrgId } from '../domain/organisations/canary.ts';
import { Fault } from '../platform/fault.ts';

const Canary = v.object({ address: v.string(), storefrontToken: v.string(), priceId: v.number() });
export type Canary = v.InferOutput<typeof Canary>;

export const parseCanary = (text: string): Canary => v.parse(Canary, JSON.parse(text));

const Opened = v.object({ id: v.string(), basket_token: v.string() });

/** Holds a ticket as the page of a shop does, and releases it. Throws what a buyer would meet. No buyer waits longer than this. */
export async function holdAndRelease({ address, storefrontToken, priceId }: Canary, timeoutMs = 8_000): Promise<void> {
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
  } finally {
    await call('DELETE', `/${id}`, undefined, basket_token);
  }
}
