import { createCampaign } from '../../../shared/catalogue/code-campaigns.ts';
import { unwrapCampaign } from '../../../shared/http/handlers/from-path/campaign-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { campaignInput, campaignResource } from '../../../shared/mappers/code-campaign.ts';
import { createCodeCampaign } from '../../../shared/operations/codes/create-code-campaign.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof createCodeCampaign> = async ({ body }, { caller, table, clock, receipt }) => {
  const { title, effect } = body;
  const saved = await createCampaign(
    { table, orgId: caller.orgId, nowUnix: unixSeconds(clock) },
    { ...campaignInput(body), title, effect },
    (campaign) => receipt(campaignResource(campaign)),
  );
  return campaignResource(unwrapCampaign(saved));
};

export const handler = pipeline(createCodeCampaign, handle);
