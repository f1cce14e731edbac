import { readCampaignFromPath } from '../../../shared/http/handlers/from-path/campaign-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { campaignResource } from '../../../shared/mappers/code-campaign.ts';
import { retrieveCodeCampaign } from '../../../shared/operations/codes/retrieve-code-campaign.ts';

export const handle: Handle<typeof retrieveCodeCampaign> = async ({ params }, { caller, table }) =>
  campaignResource(await readCampaignFromPath(table, caller.orgId, params.code_campaign_id));

export const handler = pipeline(retrieveCodeCampaign, handle);
