import * as v from 'valibot';
import { type CodeCampaign, type CodeRecord, codeEffects } from '../../domain/codes/campaign.ts';
import { dueSecondText } from '../table/due-hints.ts';
import { campaignCodesPartition, codeCampaignKey, codeKey, type ItemKey } from '../table/keys.ts';
import { carried, nullable, row, storedEnum } from '../table/row.ts';

const ids = v.array(v.number());

const StoredCampaign = row({
  campaignId: v.number(),
  title: v.string(),
  // An effect that is unknown here reduces nothing.
  effect: row({ kind: storedEnum(codeEffects, 'none'), value: v.number() }),
  priceIds: nullable(ids),
  eventIds: nullable(ids),
  fromUnix: nullable(v.number()),
  untilUnix: nullable(v.number()),
  usesPerCode: nullable(v.number()),
  revealsPriceIds: v.optional(ids, []),
  createdUnix: v.number(),
  version: v.number(),
});

export function parseCampaign(item: unknown): CodeCampaign {
  return v.parse(StoredCampaign, item);
}

export function campaignItem(orgId: string, campaign: CodeCampaign): ItemKey & Readonly<Record<string, unknown>> {
  return { ...carried(campaign), ...campaign, ...codeCampaignKey(orgId, campaign.campaignId) };
}

const StoredCode = v.object({
  code: v.string(),
  campaignId: v.number(),
  createdUnix: v.number(),
  stockId: v.number(),
  deletedUnix: nullable(v.number()),
});

export function parseCode(item: unknown): CodeRecord {
  return v.parse(StoredCode, item);
}

/** Index by1 lists the codes of a campaign in the order of their creation. */
export function codeItem(orgId: string, code: CodeRecord): ItemKey & Readonly<Record<string, unknown>> {
  const { deletedUnix: _, ...fields } = code;
  return {
    ...fields,
    ...codeKey(orgId, code.code),
    by1pk: campaignCodesPartition(orgId, code.campaignId),
    by1sk: codeSortKey(code),
  };
}

export function codeSortKey({ createdUnix, code }: CodeRecord): string {
  return `${dueSecondText(createdUnix)}#${code}`;
}
