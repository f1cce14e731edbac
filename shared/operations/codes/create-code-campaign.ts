import * as v from 'valibot';
import { codesAccess } from '../../data/codes/access.ts';
import { defineOperation } from '../operation.ts';
import { CodeCampaign } from '../schemas/code-campaign.ts';
import { campaignFields, campaignProblems } from './campaign-fields.ts';

const { title, effect, ...others } = campaignFields;

export const createCodeCampaign = defineOperation({
  id: 'create-code-campaign',
  resource: 'codes',
  summary: 'Create a code campaign',
  description: `Creates a campaign: codes that reduce the price of tickets, or reveal prices that are hidden otherwise. Create its codes with
create-codes. A fan applies one code to a basket with apply-code.

Prices under \`reveals_price_ids\` are hidden at once from storefront tokens, and not for sale without a code of the campaign.`,
  method: 'POST',
  paths: ['/v1/code_campaigns'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: { body: v.strictObject({ title, effect, ...v.partial(v.strictObject(others)).entries }) },
  output: {
    status: 201,
    schema: CodeCampaign,
    problems: campaignProblems,
    links: [{ to: 'create-codes', params: { code_campaign_id: '$response.body#/code_campaign_id' } }],
  },
  effects: {
    access: [codesAccess.saveCampaign, codesAccess.missingPrices, codesAccess.currenciesOfEvents],
    cannotBeUndone: false,
  },
});

export type CreateCodeCampaignBody = v.InferOutput<(typeof createCodeCampaign)['input']['body']>;
