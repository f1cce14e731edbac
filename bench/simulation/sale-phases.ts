import { createCampaign } from '../../shared/catalogue/code-campaigns.ts';
import { newCodes } from '../../shared/catalogue/new-codes.ts';
import { createPhase } from '../../shared/catalogue/phases.ts';
import { createCodes, listCodes } from '../../shared/data/codes/codes.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { CodeCampaign } from '../../shared/domain/codes/campaign.ts';
import { noRequirements } from '../../shared/domain/phases/phase.ts';
import type { Response } from './lambda.ts';
import type { SaleOutcome } from './sale-outcome.ts';

/** The sale opens in three phases: for those with the first word, for those with the second one, for everyone. */
export interface SalePhases {
  /** When each phase begins. */
  readonly fromUnix: readonly [number, number, number];
  /** How many baskets can use the first word. Many more try. */
  readonly firstUses: number;
  readonly first: CodeCampaign;
}

const words = ['FIRST', 'SECOND'] as const;
const maxPerPerson = 4;

interface PhasedSale {
  readonly orgId: string;
  readonly eventId: number;
  readonly startUnix: number;
  readonly minutes: number;
  readonly buyers: number;
}

/** Makes the phases and their words. One in ten buyers can use the first word, and half of them try. */
export async function givenSalePhases(
  table: Table,
  { orgId, eventId, startUnix, minutes, buyers }: PhasedSale,
): Promise<SalePhases> {
  const third = (minutes * 60) / 3;
  const fromUnix = [startUnix, startUnix + third, startUnix + 2 * third].map(Math.round) as [number, number, number];
  const firstUses = Math.max(1, Math.round(buyers / 10));
  const campaigns: CodeCampaign[] = [];
  for (const [index, word] of words.entries()) {
    const given = {
      title: word,
      effect: { kind: 'none', value: 0 } as const,
      usesPerCode: index === 0 ? firstUses : null,
    };
    const saved = await createCampaign({ table, orgId, nowUnix: startUnix + index }, given, () => []);
    if (saved.outcome !== 'saved') throw new Error(saved.outcome);
    const codes = newCodes(orgId, saved.campaign, { word }, startUnix);
    await createCodes(table, orgId, { codes, usesPerCode: given.usesPerCode }, []);
    campaigns.push(saved.campaign);
  }
  for (const [index, from] of fromUnix.entries()) {
    const codeCampaignId = campaigns[index]?.campaignId ?? null;
    const given = {
      title: `Phase ${index + 1}`,
      fromUnix: from,
      untilUnix: fromUnix[index + 1] ?? null,
      maxPerPerson,
      requires: { ...noRequirements, codeCampaignId },
    };
    await createPhase(table, orgId, eventId, { given, sideEffects: () => [] });
  }
  const [first] = campaigns;
  if (first === undefined) throw new Error('The first phase has no campaign.');
  return { fromUnix, firstUses, first };
}

/** What a buyer does in a sale with phases: half of them know the first word, a quarter the second one. */
export class PhasedBuyer {
  readonly #phases: SalePhases;
  #word: string | undefined;
  #paysIn = -1;

  constructor(phases: SalePhases, index: number) {
    this.#phases = phases;
    this.#word = [words[0], words[1], words[0], undefined][index % 4];
  }

  /** Applies the word that the buyer knows, until it turns out to be used up. */
  async applyWord(send: (word: string) => Promise<Response>): Promise<void> {
    if (this.#word !== undefined && (await send(this.#word)).status === 409) this.#word = undefined;
  }

  /** How long a buyer without the word of this phase waits: until the next one opens. */
  waitMs(nowMs: number): number {
    const next = this.#phases.fromUnix.find((from) => from * 1000 > nowMs);
    return next === undefined ? 0 : next * 1000 - nowMs;
  }

  beginToPay(nowMs: number): void {
    this.#paysIn = this.#phases.fromUnix.findLastIndex((from) => from * 1000 <= nowMs);
  }

  countOrder(outcome: SaleOutcome): void {
    const phase = this.#paysIn;
    outcome.ordersByPhase[phase] = (outcome.ordersByPhase[phase] ?? 0) + 1;
    if (phase < words.length && this.#word !== words[phase]) outcome.outOfPhase += 1;
  }
}

/** How often the first word is used or held after the sale. */
export async function usesOfFirst(table: Table, orgId: string, { first }: SalePhases): Promise<number> {
  const { codes } = await listCodes(table, { orgId, campaign: first, after: undefined, limit: 1 });
  return codes[0]?.uses ?? 0;
}
