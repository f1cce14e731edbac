import type { SavedCampaign } from '../../../catalogue/code-campaigns.ts';
import { readCampaign } from '../../../data/codes/campaigns.ts';
import type { Table } from '../../../data/table/table.ts';
import type { CampaignProblem, CodeCampaign } from '../../../domain/codes/campaign.ts';
import { parseId } from '../../../domain/ids.ts';
import { chargedDecimals } from '../../../domain/prices/amounts.ts';
import { notFound, type Problem, problem, referenceMissing } from '../../problem.ts';

/** Parses the campaign id of a path. The campaign may not exist. */
export function parseCampaignId(text: string): number {
  const campaignId = parseId(text);
  if (campaignId === undefined) throw notFound('code campaign');
  return campaignId;
}

export async function readCampaignFromPath(table: Table, orgId: string, text: string): Promise<CodeCampaign> {
  const campaign = await readCampaign(table, orgId, parseCampaignId(text));
  if (campaign === undefined) throw notFound('code campaign');
  return campaign;
}

const params = { priceIds: 'price_ids', eventIds: 'event_ids', revealsPriceIds: 'reveals_price_ids' } as const;

/** The campaign that was saved. Throws the problem of one that was not. */
export function unwrapCampaign(saved: SavedCampaign): CodeCampaign {
  switch (saved.outcome) {
    case 'refused':
      throw campaignProblemOf(saved.problem);
    case 'not_chargeable':
      throw invalidValue(`The parameter effect.value ${chargedDecimals(saved.currency)}`);
    case 'price_missing':
      throw referenceMissing('price', params[saved.field]);
    case 'event_missing':
      throw referenceMissing('event', params[saved.field]);
    case 'saved':
      return saved.campaign;
  }
}

function campaignProblemOf(reason: CampaignProblem): Problem {
  switch (reason) {
    case 'prices_and_events':
      return problem(
        'parameter_conflict',
        'A campaign is for prices or for events. Send either price_ids or event_ids.',
        {
          param: 'event_ids',
        },
      );
    case 'ends_before_start':
      return problem('parameter_conflict', 'until_unix must be after from_unix.', { param: 'until_unix' });
    case 'percentage':
      return invalidValue(
        'A percentage is at most 100, so that no price becomes negative, and has at most two decimals.',
      );
    case 'amount':
      return invalidValue(
        'The parameter effect.value must have at most two decimals: no currency is charged in thousandths.',
      );
    case 'value_of_none':
      return invalidValue('The effect none changes no price. Leave out its value.');
  }
}

const invalidValue = (message: string): Problem => problem('parameter_invalid', message, { param: 'effect.value' });
