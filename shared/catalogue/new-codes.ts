import { newCodeRecord } from '../data/codes/codes.ts';
import type { CodeCampaign, CodeRecord } from '../domain/codes/campaign.ts';
import { randomText } from '../platform/random-text.ts';

/** 60 random bits: nobody guesses one, and no two are the same. */
const randomCode = (): string => randomText(12);

/** The codes that a request creates: a word of the organisation, or so many random ones. */
export function newCodes(
  orgId: string,
  campaign: CodeCampaign,
  wanted: { readonly word: string } | { readonly count: number },
  nowUnix: number,
): readonly CodeRecord[] {
  const texts = 'word' in wanted ? [wanted.word] : Array.from({ length: wanted.count }, randomCode);
  return texts.map((text) => newCodeRecord(orgId, campaign, text, nowUnix));
}
