import { newCodes } from '../../../shared/catalogue/new-codes.ts';
import { createCodes as create } from '../../../shared/data/codes/codes.ts';
import { readCampaignFromPath } from '../../../shared/http/handlers/from-path/campaign-from-path.ts';
import { codesToCreate } from '../../../shared/http/handlers/input/codes-to-create.ts';
import { codeTaken } from '../../../shared/http/handlers/problems/catalogue-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { codeResource } from '../../../shared/mappers/code-campaign.ts';
import { createCodes } from '../../../shared/operations/codes/create-codes.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof createCodes> = async ({ params, body }, { caller, table, clock, receipt }) => {
  const { orgId } = caller;
  const wanted = codesToCreate(body);
  const campaign = await readCampaignFromPath(table, orgId, params.code_campaign_id);
  const codes = newCodes(orgId, campaign, wanted, unixSeconds(clock));
  const { campaignId, usesPerCode } = campaign;
  const uses = usesPerCode === null ? null : 0;
  const response = {
    object: 'codes' as const,
    code_campaign_id: campaignId,
    data: codes.map((code) => codeResource({ code, uses })),
  };
  const isCreated = await create(table, orgId, { codes, usesPerCode }, receipt(response));
  if (!isCreated) throw codeTaken('code');
  return response;
};

export const handler = pipeline(createCodes, handle);
