import { listCodes as list } from '../../../shared/data/codes/codes.ts';
import { readCampaignFromPath } from '../../../shared/http/handlers/from-path/campaign-from-path.ts';
import { signListCursor, verifyListCursor } from '../../../shared/http/handlers/input/cursors.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { codeResource } from '../../../shared/mappers/code-campaign.ts';
import { listCodes } from '../../../shared/operations/codes/list-codes.ts';
import { cursorKey } from '../../../shared/platform/secret.ts';

export const handle: Handle<typeof listCodes> = async ({ params, query }, { caller, table, baseUrl }) => {
  const { orgId } = caller;
  const campaign = await readCampaignFromPath(table, orgId, params.code_campaign_id);
  const { campaignId } = campaign;
  const identity = { orgId, operation: listCodes.id, parameters: { campaignId } };
  const signedList = { key: await cursorKey(), list: identity };
  const after = verifyListCursor(signedList, query.cursor);
  const { codes, next } = await list(table, { orgId, campaign, after, limit: query.limit });
  return {
    object: 'codes',
    url: `${baseUrl}/v1/code_campaigns/${campaignId}/codes`,
    has_more: next !== undefined,
    next_cursor: signListCursor(signedList, next),
    data: codes.map(codeResource),
  };
};

export const handler = pipeline(listCodes, handle);
