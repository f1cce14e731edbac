import * as v from 'valibot';
import { codesAccess } from '../../data/codes/access.ts';
import { codeLimits } from '../../domain/codes/campaign.ts';
import { defineOperation } from '../operation.ts';
import { CreatedCodes } from '../schemas/code-campaign.ts';
import { field } from '../schemas/fields.ts';
import { text } from '../schemas/text.ts';
import { campaignPath } from './campaign-fields.ts';

export const createCodes = defineOperation({
  id: 'create-codes',
  resource: 'codes',
  summary: 'Create codes',
  description: `Creates codes of the campaign: \`count\` random ones that nobody can guess, or one word of your own in \`code\`, which many
people share. Each can be used in as many baskets as \`uses_per_code\` of the campaign says.

Repeat a request whose response was lost with the same \`Idempotency-Key\`. If the first one was interrupted, random codes that nobody has
seen may be left of it; they are in list-codes.`,
  method: 'POST',
  paths: ['/v1/code_campaigns/{code_campaign_id}/codes'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: {
    params: campaignPath,
    body: v.strictObject({
      count: v.optional(
        field(
          v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(codeLimits.perRequest))),
          'How many random codes to create. Send either count or code.',
        ),
        null,
      ),
      code: v.optional(
        field(
          v.nullable(text(codeLimits.length)),
          'A word of your own: letters, digits, hyphens and underscores, at least three. It is stored in capitals and without spaces.',
        ),
        null,
      ),
    }),
  },
  output: {
    status: 201,
    schema: CreatedCodes,
    problems: ['parameter_missing', 'parameter_conflict', 'code_taken'],
  },
  effects: { access: [codesAccess.readCampaign, codesAccess.createCodes], cannotBeUndone: false },
  // 500 codes are written in up to 50 transactions.
  runtime: { timeoutSeconds: 28 },
});
