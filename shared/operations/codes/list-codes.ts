import * as v from 'valibot';
import { codesAccess } from '../../data/codes/access.ts';
import { defineOperation } from '../operation.ts';
import { CampaignCode } from '../schemas/code-campaign.ts';
import { field } from '../schemas/fields.ts';
import { cursorListOf } from '../schemas/list-envelope.ts';
import { campaignPath } from './campaign-fields.ts';

export const listCodes = defineOperation({
  id: 'list-codes',
  resource: 'codes',
  summary: 'List the codes of a campaign',
  description: `Returns the codes in the order of their creation, with how often each is used. A use is taken when the code is applied to a
basket, and given back if the basket is not paid; a refund does not give it back. Deleted codes are not listed. The list comes from an
index, which shows a new code shortly after it is created, usually within milliseconds.`,
  method: 'GET',
  paths: ['/v1/code_campaigns/{code_campaign_id}/codes'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: {
    params: campaignPath,
    query: v.strictObject({
      limit: v.optional(
        field(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(500)), 'The maximum number of codes per page.'),
        100,
      ),
      cursor: v.optional(field(v.string(), 'The next_cursor of the previous page.')),
    }),
  },
  output: { schema: cursorListOf('codes', CampaignCode), problems: ['cursor_invalid'] },
  effects: { access: [codesAccess.readCampaign, codesAccess.listCodes], secrets: ['cursors'] },
});
