import { handle as createCampaign } from '../../../functions/api/codes/create-code-campaign.ts';
import { handle as createSome } from '../../../functions/api/codes/create-codes.ts';
import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import type { TypeRecord } from '../../../shared/data/membership/config-rows.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { BasketBuyer } from '../../../shared/domain/baskets/basket.ts';
import { decimalsOf } from '../../../shared/domain/money.ts';
import type { FailedCharge } from '../../../shared/domain/orders/refund.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import { createCodeCampaign } from '../../../shared/operations/codes/create-code-campaign.ts';
import { createCodes } from '../../../shared/operations/codes/create-codes.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import {
  farFutureUnix,
  givenEvent,
  givenPool,
  givenPrice,
  givenPriceCategory,
} from '../../../tools/fixtures/events.ts';
import { category, givenConfig, membershipType, paymentOption } from '../../../tools/fixtures/membership.ts';
import { noonUnix } from '../baskets.ts';
import { callHandler } from '../call-handler.ts';

interface FailedRefund {
  readonly basketId: number;
  readonly number: number;
  readonly failed: FailedCharge;
}

/** A club that sells in one currency, and what is known of its season from outside. The rest is read from the table. */
export interface Club {
  readonly orgId: string;
  readonly currency: Currency;
  readonly types: readonly TypeRecord[];
  /** The prices of its last two events. */
  readonly prices: PriceRecord[];
  readonly people: readonly BasketBuyer[];
  /** The baskets that were opened and have not ended. An order has the id of its basket. */
  readonly baskets: number[];
  readonly orders: number[];
  readonly members: number[];
  /** The members that steps were about, the last one last. */
  readonly touched: number[];
  /** The secrets of payments that a response has shown. Nobody can pay any other. */
  readonly shown: string[];
  /** Offers of tickets to somebody else. */
  readonly offers: { readonly transferId: string; readonly acceptToken: string }[];
  /** Entries of waiting lists. */
  readonly waiting: { readonly event_id: string; readonly entry_id: string }[];
  /** Refunds that have failed at the provider, and whose report is not acknowledged. */
  readonly reports: FailedRefund[];
}

/** One with cents, one without, and one with thousandths of which only tens can be charged. */
export const currencies = ['EUR', 'JPY', 'KWD'] as const;
type Currency = (typeof currencies)[number];

/** What tickets and memberships cost, in minor units: amounts that leave something when they are divided. */
const amounts: Readonly<Record<Currency, { readonly ticket: number; readonly membership: number }>> = {
  EUR: { ticket: 1_255, membership: 10_007 },
  JPY: { ticket: 1_999, membership: 10_003 },
  KWD: { ticket: 12_500, membership: 58_330 },
};

/** Codes, each with the campaign of its name: 15 and 33 percent less, twice and as often as one likes. */
export const words = ['FEW15', 'MANY33'] as const;

async function givenWord(table: Table, orgId: string, word: (typeof words)[number]): Promise<void> {
  const at = { table, orgId, nowMs: noonUnix * 1000 };
  const effect = { kind: 'percent', value: Number(word.slice(-2)) };
  const campaign = { title: word, effect, uses_per_code: word.startsWith('FEW') ? 2 : null };
  const { code_campaign_id } = await callHandler(createCodeCampaign, createCampaign, { body: campaign }, at);
  const params = { code_campaign_id: String(code_campaign_id) };
  await callHandler(createCodes, createSome, { params, body: { code: word } }, at);
}

const names = ['Ada', 'Byron', 'Grace', 'Alan', 'Edsger'];

/** A club with five membership types, payment in instalments, two events with few places, and codes. */
export async function givenClub(table: Table, orgId: string, currency: Currency): Promise<Club> {
  await givenOrganisation(table, orgId);
  for (const word of words) await givenWord(table, orgId, word);
  return {
    orgId,
    currency,
    types: await givenTypes(table, orgId, currency),
    prices: [...(await newPrices(table, orgId, currency)), ...(await newPrices(table, orgId, currency))],
    people: names.map((firstName) => ({
      emailAddress: `${firstName.toLowerCase()}@example.com`,
      firstName,
      lastName: 'Lovelace',
    })),
    baskets: [],
    orders: [],
    members: [],
    touched: [],
    shown: [],
    offers: [],
    waiting: [],
    reports: [],
  };
}

/** A year of which two months are over. */
const seasonDates = { availableFromUnix: noonUnix - 61 * 86_400, expiresUnix: noonUnix + 304 * 86_400 };

async function givenTypes(table: Table, orgId: string, currency: Currency): Promise<readonly TypeRecord[]> {
  const thousandths = 10 ** (3 - decimalsOf(currency)) * amounts[currency].membership;
  const typeOf = (code: string, times: number, fields: Partial<TypeRecord>) =>
    membershipType(orgId, code, { currency, termMonths: 12, priceThousandths: times * thousandths, ...fields });
  const types = [
    typeOf('bronze', 1, { capacity: 8, taxRate: 19 }),
    typeOf('gold', 3, { capacity: 5 }),
    typeOf('family', 2, { capacity: 6, persons: 3, termMonths: 6 }),
    typeOf('monthly', 1, { termMonths: 1 }),
    typeOf('season', 1, { termMonths: null, proRata: 'month', ...seasonDates }),
  ];
  await givenConfig(
    table,
    orgId,
    category(orgId, 'season'),
    ...types,
    paymentOption('once'),
    paymentOption('three', { numberOfInstalments: 3, orderBy: 1 }),
    paymentOption('renewing', { numberOfInstalments: 6, autoRenewal: 1, orderBy: 2 }),
  );
  return types;
}

/** An event with two prices that share a pool, one of them with a capacity of its own. */
async function newPrices(table: Table, orgId: string, currency: Currency): Promise<readonly PriceRecord[]> {
  const { eventId } = await givenEvent(table, orgId, { startUnix: farFutureUnix, currency });
  const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
  const pool = await givenPool(table, orgId, { eventId, capacity: 4 });
  const { ticket } = amounts[currency];
  const draft = { eventId, categoryId, currency, poolIndex: pool.index, priceMinor: ticket, serviceTaxMinor: 0 };
  return [
    await givenPrice(table, orgId, { ...draft, serviceFeeMinor: 0, capacity: null, transfer: 'anyone' }),
    await givenPrice(table, orgId, { ...draft, serviceFeeMinor: 50, capacity: 2, taxRate: 7 }),
  ];
}

/** Announces an event in the place of another. */
export async function replaceEvent(table: Table, { orgId, currency, prices }: Club, eventId: number): Promise<void> {
  const kept = prices.filter((price) => price.eventId !== eventId);
  prices.splice(0, prices.length, ...kept, ...(await newPrices(table, orgId, currency)));
}

/** Finds what became of baskets: their checkout may have been ended by a worker. */
export async function followBaskets(table: Table, { orgId, baskets, orders, members }: Club): Promise<void> {
  for (const basketId of [...baskets]) {
    const status = (await readBasket(table, orgId, basketId))?.status;
    if (status === 'open' || status === 'checking_out') continue;
    baskets.splice(baskets.indexOf(basketId), 1);
    const placed = await readOrderWithTickets(table, orgId, basketId);
    if (placed === undefined) continue;
    orders.push(basketId);
    const bought = placed.memberships.map(({ memberId }) => memberId);
    members.push(...bought.filter((memberId) => !members.includes(memberId)));
  }
}
