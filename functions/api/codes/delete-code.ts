import { deleteCode as remove } from '../../../shared/data/codes/codes.ts';
import { normalizeCode } from '../../../shared/domain/codes/campaign.ts';
import { parseCampaignId } from '../../../shared/http/handlers/from-path/campaign-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { deleteCode } from '../../../shared/operations/codes/delete-code.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof deleteCode> = async ({ params }, { caller, table, clock }) => {
  const campaignId = parseCampaignId(params.code_campaign_id);
  const code = normalizeCode(params.code);
  const isDeleted = await remove(table, caller.orgId, { code, campaignId, nowUnix: unixSeconds(clock) });
  if (!isDeleted) throw notFound('code');
  return { code, deleted: true };
};

export const handler = pipeline(deleteCode, handle);
