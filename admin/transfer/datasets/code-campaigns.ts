import * as v from 'valibot';
import { createCampaign, type SavedCampaign, updateCampaign } from '../../../shared/catalogue/code-campaigns.ts';
import { listCampaigns } from '../../../shared/data/codes/campaigns.ts';
import { readEvent } from '../../../shared/data/events/read.ts';
import { derivedEventId } from '../../../shared/data/table/derived-id.ts';
import type { TriedWrites } from '../../../shared/data/table/tried-writes.ts';
import { type CodeCampaign, codeEffects, codeLimits } from '../../../shared/domain/codes/campaign.ts';
import { chargedDecimals } from '../../../shared/domain/prices/amounts.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import { campaignByTitle, noteSharedTitles } from '../campaign-titles.ts';
import * as column from '../columns.ts';
import { defineDataset, type Rejection, type SaveResult, type TransferContext } from '../dataset.ts';
import { priceIdsOf, priceRefs, refsOfPrices } from '../price-refs.ts';

const CampaignRow = v.strictObject({
  /** Identifies the campaign: one that has the title already is changed. */
  title: column.name(200),
  effect: v.picklist(codeEffects, `must be one of ${codeEffects.join(', ')}`),
  /** The percentage, or the amount in major units. */
  value: column.price,
  event_codes: column.codesOrNull(codeLimits.eventIds),
  prices: v.nullable(priceRefs(1)),
  reveals_prices: v.nullable(priceRefs(0)),
  from_unix: column.unixOrNull,
  until_unix: column.unixOrNull,
  uses_per_code: v.nullable(column.integer(1, codeLimits.uses)),
});
type CampaignRow = v.InferOutput<typeof CampaignRow>;

export const codeCampaigns = defineDataset({
  name: 'code-campaigns',
  plural: 'code campaigns',
  key: 'title',
  schema: CampaignRow,
  async open(context) {
    return {
      defaults: {
        value: 0,
        event_codes: null,
        prices: null,
        reveals_prices: null,
        from_unix: null,
        until_unix: null,
        uses_per_code: null,
      },
      async find(title) {
        const campaign = await currentCampaign(context, title);
        return campaign === undefined || 'rejected' in campaign ? campaign : toRow(context, campaign);
      },
      save: (row, _isGiven, tried) => save(context, row, tried),
    };
  },
  total: async ({ table, orgId }) => (await listCampaigns(table, orgId)).length,
  async *rows(context, note) {
    const campaigns = await listCampaigns(context.table, context.orgId);
    noteSharedTitles(campaigns, note);
    for (const campaign of campaigns.toReversed()) yield await toRow(context, campaign);
  },
});

/** Read for every row: a campaign whose creation failed with an unknown outcome must be found when the row is saved again. */
async function currentCampaign({ table, orgId }: TransferContext, title: string) {
  return campaignByTitle(await listCampaigns(table, orgId, { consistent: true }), title);
}

async function toRow(context: TransferContext, campaign: CodeCampaign): Promise<CampaignRow> {
  const { effect, priceIds, eventIds, revealsPriceIds } = campaign;
  const { table, orgId } = context;
  const events = await Promise.all(
    (eventIds ?? []).map((eventId) => readEvent(table, orgId, eventId, { consistent: true })),
  );
  return {
    title: campaign.title,
    effect: effect.kind,
    value: effect.value,
    event_codes: eventIds && events.flatMap((event) => event?.code ?? []),
    prices: priceIds && (await refsOfPrices(context, priceIds)),
    reveals_prices: revealsPriceIds.length === 0 ? null : await refsOfPrices(context, revealsPriceIds),
    from_unix: campaign.fromUnix,
    until_unix: campaign.untilUnix,
    uses_per_code: campaign.usesPerCode,
  };
}

async function save(context: TransferContext, row: CampaignRow, tried: TriedWrites): Promise<SaveResult> {
  const { table, orgId, clock } = context;
  const [priceIds, revealsPriceIds] = [
    row.prices && (await priceIdsOf(context, row.prices)),
    await priceIdsOf(context, row.reveals_prices ?? []),
  ];
  if (priceIds !== null && 'rejected' in priceIds) return priceIds;
  if ('rejected' in revealsPriceIds) return revealsPriceIds;
  const fields = {
    title: row.title,
    effect: { kind: row.effect, value: row.value },
    priceIds,
    eventIds: row.event_codes?.map((code) => derivedEventId(orgId, code)) ?? null,
    fromUnix: row.from_unix,
    untilUnix: row.until_unix,
    usesPerCode: row.uses_per_code,
    revealsPriceIds,
  };
  const before = await currentCampaign(context, row.title);
  if (before !== undefined && 'rejected' in before) return before;
  if (before === undefined) {
    const created = await tried.send('created', () =>
      createCampaign({ table, orgId, nowUnix: unixSeconds(clock) }, fields, () => []),
    );
    return created.outcome === 'saved' ? 'created' : rejection(created);
  }
  const { campaignId } = before;
  const change = { change: fields, ifMatch: undefined };
  const saved = await tried.send('updated', () => updateCampaign(table, orgId, campaignId, change));
  switch (saved.outcome) {
    case 'missing':
    case 'version_changed':
      return { rejected: 'The campaign changed meanwhile. Import the row again.' };
    case 'saved':
      return saved.campaign.version === before.version ? 'unchanged' : 'updated';
    default:
      return rejection(saved);
  }
}

const problems = {
  prices_and_events: 'prices and event_codes: give one of them, or neither.',
  ends_before_start: 'from_unix must be before until_unix.',
  percentage: 'value must be a percentage from 0 to 100 with at most two decimals.',
  amount: 'value must have at most two decimals: no currency is charged in thousandths.',
  value_of_none: 'value must be 0 if effect is none.',
} as const;

function rejection(refused: Exclude<SavedCampaign, { outcome: 'saved' }>): Rejection {
  if (refused.outcome === 'refused') return { rejected: problems[refused.problem] };
  if (refused.outcome === 'not_chargeable') return { rejected: `value ${chargedDecimals(refused.currency)}` };
  return {
    rejected: refused.outcome === 'event_missing' ? 'One of event_codes does not exist.' : 'A price does not exist.',
  };
}
