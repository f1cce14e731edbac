import * as v from 'valibot';
import { codesAccess } from '../../data/codes/access.ts';
import { defineOperation } from '../operation.ts';
import { field, resource } from '../schemas/fields.ts';
import { campaignPath } from './campaign-fields.ts';

export const deleteCode = defineOperation({
  id: 'delete-code',
  resource: 'codes',
  summary: 'Delete a code',
  description:
    'Deletes the code: nobody can apply it any more. Baskets that have it keep it. The same word cannot be created again.',
  method: 'DELETE',
  paths: ['/v1/code_campaigns/{code_campaign_id}/codes/{code}'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: { params: v.strictObject({ ...campaignPath.entries, code: field(v.string(), 'The code.') }) },
  output: {
    schema: resource('DeletedCode', 'A deleted code.', {
      code: field(v.string(), 'The deleted code.'),
      deleted: field(v.literal(true), 'Always true.'),
    }),
  },
  effects: { access: [codesAccess.deleteCode], cannotBeUndone: true },
});
