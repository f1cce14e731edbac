import { windowRules } from '../auth/rate-windows.ts';
import { type CodeCampaign, type CodeRecord, isForEvent, isForPrice } from '../codes/campaign.ts';
import type { Basket } from './basket.ts';
import { type BasketRefusal, type Decision, notOpenReason, refused } from './changes.ts';
import { adjustmentsOf, otherAdjustments } from './code-adjustments.ts';
import { isTicketLine } from './line-item.ts';
import { codeMoves } from './stock-moves.ts';

/** How many unknown codes can be tried in a basket. */
export const maxWrongCodes = windowRules.basket_codes.limit;

/** A code with its campaign, and how many slices count its uses; null if they are not limited. */
export interface FoundCode {
  readonly code: CodeRecord;
  readonly campaign: CodeCampaign;
  readonly stockSlices: number | null;
}

/** Why a code is not valid now; undefined if it is. A code that has not started looks like one that does not exist. */
export function codeProblem(
  { code, campaign }: Pick<FoundCode, 'code' | 'campaign'>,
  nowUnix: number,
): 'code_unknown' | 'code_expired' | undefined {
  if (campaign.fromUnix !== null && nowUnix < campaign.fromUnix) return 'code_unknown';
  const isOver = campaign.untilUnix !== null && nowUnix >= campaign.untilUnix;
  return isOver || code.deletedUnix !== null ? 'code_expired' : undefined;
}

/** Whether a code that was tried is one that nobody could know. */
export function isWrong(found: FoundCode | undefined, nowUnix: number): boolean {
  return found === undefined || codeProblem(found, nowUnix) === 'code_unknown';
}

/**
 * Applies a code to an open basket, in place of another one. Its use is taken now, and given back when the basket ends unpaid. A
 * code that can do nothing for what is in the basket is refused; one that may still do something is kept.
 */
export function applyCode(basket: Basket, found: FoundCode | 'too_many_codes' | undefined, nowUnix: number): Decision {
  const notOpen = notOpenReason(basket, nowUnix);
  if (notOpen !== undefined) return refused(basket, notOpen);
  if (found === 'too_many_codes') return refused(basket, { reason: found });
  const problem = found === undefined ? 'code_unknown' : codeProblem(found, nowUnix);
  if (found === undefined || problem !== undefined) return refused(basket, { reason: problem ?? 'code_unknown' });
  const { code, campaign, stockSlices } = found;
  if (basket.code?.code === code.code) return { outcome: 'unchanged', basket };
  if (!isApplicable(basket, campaign)) return refused(basket, { reason: 'code_not_applicable' });
  const kept = keepsRevealed(basket, campaign);
  if (kept !== undefined) return refused(basket, kept);
  const applied = {
    code: code.code,
    campaignId: campaign.campaignId,
    kind: campaign.effect.kind,
    stock: stockSlices === null ? null : { id: code.stockId, slices: stockSlices },
  };
  const after = { ...basket, code: applied };
  const lines = basket.lines.map((line) => ({ ...line, adjustments: adjustmentsOf(after, line, campaign) }));
  return { outcome: 'changed', basket: { ...after, lines }, takes: codeMoves(after), restock: codeMoves(basket) };
}

/** Tickets of a basket decide; an empty one may get them later. A code that reveals prices of the event is applied before them. */
function isApplicable({ lines, eventId }: Basket, campaign: CodeCampaign): boolean {
  const tickets = lines.filter(isTicketLine);
  if (eventId === null || tickets.length === 0) return true;
  if (!isForEvent(campaign, eventId)) return false;
  return campaign.revealsPriceIds.length > 0 || tickets.some(({ priceId }) => isForPrice(campaign, priceId));
}

/** What the code of the basket has revealed is only sold with a code that reveals it. */
function keepsRevealed({ lines }: Basket, next: CodeCampaign | undefined): BasketRefusal | undefined {
  const revealed = lines.filter(isTicketLine).filter(({ needsCode: isRevealed }) => isRevealed === true);
  const line = revealed.find(({ priceId }) => next?.revealsPriceIds.includes(priceId) !== true);
  return line && { reason: 'code_needed', line };
}

/** Removes the code with what it changed. */
export function removeCode(basket: Basket, nowUnix: number): Decision {
  const notOpen = notOpenReason(basket, nowUnix);
  if (notOpen !== undefined) return refused(basket, notOpen);
  if (basket.code === null) return { outcome: 'unchanged', basket };
  const kept = keepsRevealed(basket, undefined);
  if (kept !== undefined) return refused(basket, kept);
  const lines = basket.lines.map((line) => ({ ...line, adjustments: otherAdjustments(line) }));
  return { outcome: 'changed', basket: { ...basket, code: null, lines }, restock: codeMoves(basket) };
}
