import { type CodeCampaign, isForPrice, unitReduction } from '../codes/campaign.ts';
import { sumOf } from '../money.ts';
import type { Basket } from './basket.ts';
import { type Adjustment, isTicketLine, type LineItem } from './line-item.ts';
import type { Offer } from './offer.ts';

/** The reason of an adjustment that a code makes. */
const codeReason = 'code';

/** What changes the price of a line besides a code. */
export const otherAdjustments = ({ adjustments }: LineItem): readonly Adjustment[] =>
  adjustments.filter(({ reason }) => reason !== codeReason);

/**
 * The adjustments of a line with the code of the basket. A line that the code is for has one even if it changes nothing, so that
 * the basket can say why.
 */
export function adjustmentsOf(
  { code, currency }: Pick<Basket, 'code' | 'currency'>,
  line: LineItem,
  campaign: CodeCampaign,
): readonly Adjustment[] {
  const others = otherAdjustments(line);
  if (code === null || !isTicketLine(line) || !isForPrice(campaign, line.priceId)) return others;
  const left = line.faceMinor - line.rebateMinor - sumOf(others.map(({ amountMinor }) => amountMinor));
  const amountMinor = Math.min(Math.max(0, left), unitReduction(campaign.effect, line, currency ?? ''));
  return [...others, { reason: codeReason, source: code.code, amountMinor }];
}

/** Whether the price is for sale only with a code that the basket does not have. */
export function needsCode({ code }: Pick<Basket, 'code'>, { revealedBy }: Pick<Offer, 'revealedBy'>): boolean {
  return revealedBy.length > 0 && !(code !== null && revealedBy.includes(code.campaignId));
}

/** Why a code changes nothing now. */
export const unusedReasons = ['basket_empty', 'no_matching_item', 'no_reduction'] as const;

/** What the code of a basket does: what it reduces, and why it does nothing. */
export function codeResult({ code, lines }: Pick<Basket, 'code' | 'lines'>): {
  readonly reductionMinor: number;
  readonly unusedBecause: (typeof unusedReasons)[number] | null;
} {
  const own = lines.flatMap(({ adjustments, quantity }) =>
    adjustments.filter(({ reason }) => reason === codeReason).map(({ amountMinor }) => amountMinor * quantity),
  );
  const reductionMinor = sumOf(own);
  const opensLine = lines.some(({ needsCode: isRevealed }) => isRevealed === true);
  const isUsed = reductionMinor > 0 || opensLine || (code?.kind === 'none' && own.length > 0);
  if (isUsed) return { reductionMinor, unusedBecause: null };
  if (lines.length === 0) return { reductionMinor, unusedBecause: 'basket_empty' };
  return { reductionMinor, unusedBecause: own.length === 0 ? 'no_matching_item' : 'no_reduction' };
}
