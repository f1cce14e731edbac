import { listCampaigns } from '../../../shared/data/codes/campaigns.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { campaignResource } from '../../../shared/mappers/code-campaign.ts';
import { listCodeCampaigns } from '../../../shared/operations/codes/list-code-campaigns.ts';

export const handle: Handle<typeof listCodeCampaigns> = async (_input, { caller, table, baseUrl }) => {
  const campaigns = await listCampaigns(table, caller.orgId);
  return {
    object: 'code_campaigns',
    url: `${baseUrl}${listCodeCampaigns.paths[0]}`,
    has_more: false,
    data: campaigns.map(campaignResource),
  };
};

export const handler = pipeline(listCodeCampaigns, handle);
