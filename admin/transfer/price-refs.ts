import * as v from 'valibot';
import { readPricedEvent } from '../../shared/data/prices/read.ts';
import { priceByCode } from '../../shared/data/prices/save-price.ts';
import { derivedEventId } from '../../shared/data/table/derived-id.ts';
import { codeLimits } from '../../shared/domain/codes/campaign.ts';
import { priceIdOf, priceOfId } from '../../shared/domain/prices/price.ts';
import * as column from './columns.ts';
import type { Rejection, TransferContext } from './dataset.ts';

const message = 'must be a list of {"event_code", "price_code"}, in CSV as JSON';

/** Prices of any event, by the codes that imports know. */
const PriceRef = v.strictObject({ event_code: column.code, price_code: column.code });
export const priceRefs = (min: number) => column.list(PriceRef, message, [min, codeLimits.priceIds]);
type PriceRefs = v.InferOutput<typeof PriceRef>[];

export async function priceIdsOf(
  { table, orgId }: TransferContext,
  refs: Readonly<PriceRefs>,
): Promise<readonly number[] | Rejection> {
  const ids: number[] = [];
  for (const { event_code, price_code } of refs) {
    const eventId = derivedEventId(orgId, event_code);
    const price = await priceByCode(table, orgId, eventId, price_code);
    if (price === undefined)
      return { rejected: `The price "${price_code}" of the event "${event_code}" does not exist.` };
    ids.push(priceIdOf(eventId, price.index));
  }
  return ids;
}

/** Prices that no longer exist are left out: they sell nothing. Each event is read once. */
export async function refsOfPrices({ table, orgId }: TransferContext, ids: readonly number[]): Promise<PriceRefs> {
  const eventIds = [...new Set(ids.flatMap((id) => priceOfId(id)?.eventId ?? []))];
  const events = await Promise.all(
    eventIds.map((eventId) => readPricedEvent(table, orgId, eventId, { consistent: true })),
  );
  const refs = new Map<number, PriceRefs[number]>();
  for (const { event, prices } of events.filter((one) => one !== undefined)) {
    for (const { priceId, code } of prices) refs.set(priceId, { event_code: event.code, price_code: code });
  }
  return ids.flatMap((id) => refs.get(id) ?? []);
}
