import { codesAccess } from '../../data/codes/access.ts';
import { defineOperation } from '../operation.ts';
import { CodeCampaign } from '../schemas/code-campaign.ts';
import { listOf } from '../schemas/list-envelope.ts';

export const listCodeCampaigns = defineOperation({
  id: 'list-code-campaigns',
  resource: 'codes',
  summary: 'List all code campaigns',
  description: 'Returns all campaigns of the organisation, the newest first.',
  method: 'GET',
  paths: ['/v1/code_campaigns'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  output: { schema: listOf('code_campaigns', CodeCampaign) },
  effects: { access: [codesAccess.listCampaigns] },
});
