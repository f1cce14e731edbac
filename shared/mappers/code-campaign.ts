import type { CountedCode } from '../data/codes/codes.ts';
import type { CampaignFields, CodeCampaign as CampaignRecord } from '../domain/codes/campaign.ts';
import type { CreateCodeCampaignBody } from '../operations/codes/create-code-campaign.ts';
import type { CampaignCode, CodeCampaign } from '../operations/schemas/code-campaign.ts';

export function campaignResource(record: CampaignRecord): CodeCampaign {
  return {
    code_campaign_id: record.campaignId,
    title: record.title,
    effect: { kind: record.effect.kind, value: record.effect.value },
    price_ids: record.priceIds && [...record.priceIds],
    event_ids: record.eventIds?.map(String) ?? null,
    from_unix: record.fromUnix,
    until_unix: record.untilUnix,
    uses_per_code: record.usesPerCode,
    reveals_price_ids: [...record.revealsPriceIds],
    created: record.createdUnix,
    version: record.version,
  };
}

export function codeResource({ code: { code, createdUnix }, uses }: CountedCode): CampaignCode {
  return { code, uses, created: createdUnix };
}

type IdInput = number | string;
const numbers = (ids: readonly IdInput[]): readonly number[] => [...new Set(ids.map(Number))];
const orNull = (ids: readonly IdInput[] | null): readonly number[] | null => ids && numbers(ids);

type SentCampaign = { readonly [Name in keyof CreateCodeCampaignBody]?: CreateCodeCampaignBody[Name] | undefined };

/** The fields that a request sends. */
export function campaignInput(body: SentCampaign): Partial<CampaignFields> {
  const { title, effect, price_ids, event_ids, from_unix, until_unix, uses_per_code, reveals_price_ids } = body;
  return {
    ...(title !== undefined && { title: title.trim() }),
    ...(effect !== undefined && { effect }),
    ...(price_ids !== undefined && { priceIds: orNull(price_ids) }),
    ...(event_ids !== undefined && { eventIds: orNull(event_ids) }),
    ...(from_unix !== undefined && { fromUnix: from_unix }),
    ...(until_unix !== undefined && { untilUnix: until_unix }),
    ...(uses_per_code !== undefined && { usesPerCode: uses_per_code }),
    ...(reveals_price_ids !== undefined && { revealsPriceIds: numbers(reveals_price_ids) }),
  };
}
