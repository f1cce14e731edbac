import { codesAccess } from '../../data/codes/access.ts';
import { defineOperation } from '../operation.ts';
import { CodeCampaign } from '../schemas/code-campaign.ts';
import { campaignPath } from './campaign-fields.ts';

export const retrieveCodeCampaign = defineOperation({
  id: 'retrieve-code-campaign',
  resource: 'codes',
  summary: 'Retrieve a code campaign',
  description: 'Returns the campaign. list-codes returns its codes.',
  method: 'GET',
  paths: ['/v1/code_campaigns/{code_campaign_id}'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: { params: campaignPath },
  output: { schema: CodeCampaign },
  effects: { access: [codesAccess.readCampaign] },
});
