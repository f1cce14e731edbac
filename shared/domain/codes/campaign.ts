import type { LineItem } from '../baskets/line-item.ts';
import { chargeablePart, decimalsOf } from '../money.ts';
import { type PriceRecord, priceOfId } from '../prices/price.ts';

export const codeEffects = ['percent', 'amount', 'fixed_price', 'none'] as const;

/** What a code does to the price of each ticket, without its fees. */
export interface CodeEffect {
  readonly kind: (typeof codeEffects)[number];
  /** A percentage, or an amount in major units of the event's currency. 0 if the code changes no price. */
  readonly value: number;
}

/** The fields of a campaign that the organisation sets. */
export interface CampaignFields {
  readonly title: string;
  readonly effect: CodeEffect;
  /** The prices that the codes are for, or the events; both null: all tickets. */
  readonly priceIds: readonly number[] | null;
  readonly eventIds: readonly number[] | null;
  readonly fromUnix: number | null;
  readonly untilUnix: number | null;
  /** In how many baskets each code can be used; null: without a limit. */
  readonly usesPerCode: number | null;
  /** Prices that nobody sees or buys without a code of the campaign. */
  readonly revealsPriceIds: readonly number[];
}

/** Codes with one effect: many single ones, or words that many people share. */
export interface CodeCampaign extends CampaignFields {
  readonly campaignId: number;
  readonly createdUnix: number;
  readonly version: number;
}

/** A code of a campaign. Its text identifies it in its organisation. */
export interface CodeRecord {
  readonly code: string;
  readonly campaignId: number;
  readonly createdUnix: number;
  /** Where its uses are counted, as the tickets of a price are. */
  readonly stockId: number;
  /** A deleted code is not used any more, and its text stays taken. */
  readonly deletedUnix: number | null;
}

export const codeLimits = { length: 40, perRequest: 500, priceIds: 40, eventIds: 40, uses: 1_000_000 } as const;

/** A code as it is stored and compared: people type small letters, and spaces when they copy. */
export function normalizeCode(text: string): string {
  return text.replaceAll(/\s/gu, '').toUpperCase();
}

const codePattern = /^[\p{L}\p{N}_-]{3,40}$/u;

export function isCode(normalized: string): boolean {
  return codePattern.test(normalized);
}

/** Whether the codes are for this price. */
export function isForPrice({ priceIds, eventIds }: CampaignFields, priceId: number): boolean {
  if (priceIds !== null) return priceIds.includes(priceId);
  return eventIds === null || eventIds.includes(priceOfId(priceId)?.eventId ?? 0);
}

/** Whether a code can do anything in a basket of this event. */
export function isForEvent({ priceIds, eventIds, revealsPriceIds }: CampaignFields, eventId: number): boolean {
  const isIn = (priceId: number) => priceOfId(priceId)?.eventId === eventId;
  if (revealsPriceIds.some(isIn)) return true;
  return priceIds === null ? eventIds === null || eventIds.includes(eventId) : priceIds.some(isIn);
}

/** 19.9 times 100 is a little less than 1,990. */
const rounding = 1e-6;

/** The highest product of a price and a percentage stays exact: percentages have at most two decimals. */
const percentScale = 100;

/**
 * What one unit of a line costs less, never more than the price without fees. It is rounded down to what can be charged, so that each
 * ticket can be refunded alone.
 */
export function unitReduction(
  { kind, value }: CodeEffect,
  line: Pick<LineItem, 'faceMinor' | 'rebateMinor'>,
  currency: string,
): number {
  const priceMinor = line.faceMinor - line.rebateMinor;
  const reductionMinor = exactReduction({ kind, value }, priceMinor, currency);
  return reductionMinor >= priceMinor ? priceMinor : chargeablePart(reductionMinor, currency);
}

function exactReduction({ kind, value }: CodeEffect, priceMinor: number, currency: string): number {
  const valueMinor = Math.floor(value * 10 ** decimalsOf(currency) + rounding);
  switch (kind) {
    case 'percent':
      return (priceMinor * Math.round(value * percentScale)) / (100 * percentScale);
    case 'amount':
      return valueMinor;
    case 'fixed_price':
      return Math.max(0, priceMinor - valueMinor);
    case 'none':
      return 0;
  }
}

/** What one of a price costs less with a code of the campaign, for its page: a basket may have other reductions too. */
export function priceReduction(
  campaign: CampaignFields,
  { priceId, priceMinor: faceMinor, rebateMinor }: Pick<PriceRecord, 'priceId' | 'priceMinor' | 'rebateMinor'>,
  currency: string,
): number {
  return isForPrice(campaign, priceId) ? unitReduction(campaign.effect, { faceMinor, rebateMinor }, currency) : 0;
}

export type CampaignProblem = 'prices_and_events' | 'ends_before_start' | 'percentage' | 'amount' | 'value_of_none';

/** Returns why a campaign cannot have these fields; undefined if it can. */
export function campaignProblem({
  effect,
  priceIds,
  eventIds,
  fromUnix,
  untilUnix,
}: CampaignFields): CampaignProblem | undefined {
  if (priceIds !== null && eventIds !== null) return 'prices_and_events';
  if (fromUnix !== null && untilUnix !== null && untilUnix <= fromUnix) return 'ends_before_start';
  const { kind, value } = effect;
  if (kind === 'none' && value !== 0) return 'value_of_none';
  // No currency is charged in thousandths.
  const isExact = Math.round(value * percentScale) / percentScale === value;
  if (kind === 'percent') return isExact && value <= 100 ? undefined : 'percentage';
  return isExact ? undefined : 'amount';
}
