import { updateCampaign } from '../../../shared/catalogue/code-campaigns.ts';
import { parseCampaignId, unwrapCampaign } from '../../../shared/http/handlers/from-path/campaign-from-path.ts';
import { versionConflict } from '../../../shared/http/if-match.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { campaignInput, campaignResource } from '../../../shared/mappers/code-campaign.ts';
import { updateCodeCampaign } from '../../../shared/operations/codes/update-code-campaign.ts';

export const handle: Handle<typeof updateCodeCampaign> = async ({ params, body }, { caller, table, ifMatch }) => {
  const campaignId = parseCampaignId(params.code_campaign_id);
  const saved = await updateCampaign(table, caller.orgId, campaignId, { change: campaignInput(body), ifMatch });
  if (saved.outcome === 'missing') throw notFound('code campaign');
  if (saved.outcome === 'version_changed') throw versionConflict('code campaign', saved.version);
  return campaignResource(unwrapCampaign(saved));
};

export const handler = pipeline(updateCodeCampaign, handle);
