import { randomInt } from 'node:crypto';
import { currenciesOfEvents, missingPrices, readCampaign, saveCampaign } from '../data/codes/campaigns.ts';
import { retryRaces } from '../data/table/retry.ts';
import type { VersionChanged } from '../data/table/save-options.ts';
import type { Table } from '../data/table/table.ts';
import { noSideEffects, type SideEffects } from '../data/table/transact.ts';
import { isSameRecord } from '../data/table/version.ts';
import {
  type CampaignFields,
  type CampaignProblem,
  type CodeCampaign,
  campaignProblem,
} from '../domain/codes/campaign.ts';
import { idOf, idsPerSecond } from '../domain/ids.ts';
import { canBeCharged } from '../domain/prices/amounts.ts';
import { priceOfId } from '../domain/prices/price.ts';

export type SavedCampaign =
  | { readonly outcome: 'saved'; readonly campaign: CodeCampaign }
  | { readonly outcome: 'refused'; readonly problem: CampaignProblem }
  | { readonly outcome: 'not_chargeable'; readonly currency: string }
  | {
      readonly outcome: 'price_missing' | 'event_missing';
      readonly field: 'priceIds' | 'eventIds' | 'revealsPriceIds';
    };

/** What a campaign has that is not named. */
const defaults = {
  priceIds: null,
  eventIds: null,
  fromUnix: null,
  untilUnix: null,
  usesPerCode: null,
  revealsPriceIds: [],
} as const;

export async function createCampaign(
  { table, orgId, nowUnix }: { readonly table: Table; readonly orgId: string; readonly nowUnix: number },
  given: Partial<CampaignFields> & Pick<CampaignFields, 'title' | 'effect'>,
  sideEffects: SideEffects<CodeCampaign>,
): Promise<SavedCampaign> {
  const fields = { ...defaults, ...given };
  const refusal = await refusalOf(table, orgId, fields);
  if (refusal !== undefined) return refusal;
  return retryRaces('ids of new campaigns', async () => {
    const campaignId = idOf(nowUnix, randomInt(idsPerSecond));
    const campaign = { ...fields, campaignId, createdUnix: nowUnix, version: 1 };
    const isSaved = await saveCampaign(table, orgId, { before: undefined, after: campaign }, sideEffects(campaign));
    return isSaved ? { outcome: 'saved', campaign } : undefined;
  });
}

/** Changes the given fields of a campaign. */
export function updateCampaign(
  table: Table,
  orgId: string,
  campaignId: number,
  { change, ifMatch }: { readonly change: Partial<CampaignFields>; readonly ifMatch: number | undefined },
): Promise<SavedCampaign | VersionChanged | { readonly outcome: 'missing' }> {
  return retryRaces('code campaign', async () => {
    const before = await readCampaign(table, orgId, campaignId);
    if (before === undefined) return { outcome: 'missing' };
    const { version } = before;
    if (ifMatch !== undefined && ifMatch !== version) return { outcome: 'version_changed', version };
    const changed = { ...before, ...change };
    if (isSameRecord(before, changed)) return { outcome: 'saved', campaign: before };
    const refusal = await refusalOf(table, orgId, changed);
    if (refusal !== undefined) return refusal;
    const campaign = { ...changed, version: version + 1 };
    const isSaved = await saveCampaign(table, orgId, { before, after: campaign }, noSideEffects());
    return isSaved ? { outcome: 'saved', campaign } : undefined;
  });
}

async function refusalOf(table: Table, orgId: string, fields: CampaignFields): Promise<SavedCampaign | undefined> {
  const problem = campaignProblem(fields);
  if (problem !== undefined) return { outcome: 'refused', problem };
  const eventIds = fields.eventIds ?? [];
  const ofPrices = (fields.priceIds ?? []).flatMap((priceId) => priceOfId(priceId)?.eventId ?? []);
  const [prices, revealed, currencies] = await Promise.all([
    missingPrices(table, orgId, fields.priceIds ?? []),
    missingPrices(table, orgId, fields.revealsPriceIds),
    currenciesOfEvents(table, orgId, [...eventIds, ...ofPrices]),
  ]);
  if (prices.length > 0) return { outcome: 'price_missing', field: 'priceIds' };
  if (revealed.length > 0) return { outcome: 'price_missing', field: 'revealsPriceIds' };
  if (eventIds.some((eventId) => !currencies.has(eventId))) return { outcome: 'event_missing', field: 'eventIds' };
  const { kind, value } = fields.effect;
  const currency = [...currencies.values()].find((one) => kind !== 'percent' && !canBeCharged(value, one));
  return currency === undefined ? undefined : { outcome: 'not_chargeable', currency };
}
