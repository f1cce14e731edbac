import * as v from 'valibot';
import { codesAccess } from '../../data/codes/access.ts';
import { defineOperation } from '../operation.ts';
import { CodeCampaign } from '../schemas/code-campaign.ts';
import { campaignFields, campaignPath, campaignProblems } from './campaign-fields.ts';

export const updateCodeCampaign = defineOperation({
  id: 'update-code-campaign',
  resource: 'codes',
  summary: 'Update a code campaign',
  description:
    'Changes the fields that you send and leaves the others unchanged. Tickets that are in a basket keep their reduction; tickets that are added later get the new one.',
  method: 'PATCH',
  paths: ['/v1/code_campaigns/{code_campaign_id}'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: {
    params: campaignPath,
    ifMatch: true,
    body: v.pipe(v.partial(v.strictObject(campaignFields)), v.minEntries(1, 'Send at least one field to change.')),
  },
  output: { schema: CodeCampaign, problems: ['parameter_missing', ...campaignProblems] },
  effects: {
    access: [
      codesAccess.readCampaign,
      codesAccess.saveCampaign,
      codesAccess.missingPrices,
      codesAccess.currenciesOfEvents,
    ],
    cannotBeUndone: false,
  },
});
