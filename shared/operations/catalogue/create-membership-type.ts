import * as v from 'valibot';
import { catalogueAccess } from '../../catalogue/access.ts';
import { defineOperation } from '../operation.ts';
import { optionalCode } from '../schemas/catalogue-text.ts';
import { MembershipType } from '../schemas/membership-type.ts';
import { membershipTypeFields, membershipTypeProblems } from './membership-type-fields.ts';

const { membership_category_id, title, price, ...others } = membershipTypeFields;

export const createMembershipType = defineOperation({
  id: 'create-membership-type',
  resource: 'catalogue',
  summary: 'Create a membership type',
  description: `Creates a membership type in a membership category. Fields that you leave out have the value of a usual type: for one person, offered
online, active, without a limit. Without a \`currency\` it is shown and not sold.`,
  method: 'POST',
  paths: ['/v1/membership_types'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: {
    body: v.strictObject({
      code: optionalCode('membership type'),
      membership_category_id,
      title,
      price,
      ...v.partial(v.strictObject(others)).entries,
      persons: v.optional(others.persons, 1),
      pro_rata: v.optional(others.pro_rata, 'none'),
      grace_days: v.optional(others.grace_days, 14),
      withdrawal_days: v.optional(others.withdrawal_days, 0),
      offer_auto_renew: v.optional(others.offer_auto_renew, 0),
      show_online: v.optional(others.show_online, 1),
      game_day_access: v.optional(others.game_day_access, 0),
      order_by: v.optional(others.order_by, 0),
      status: v.optional(others.status, 1),
    }),
  },
  output: { status: 201, schema: MembershipType, problems: [...membershipTypeProblems, 'code_taken'] },
  effects: { access: [catalogueAccess.createMembershipType], cannotBeUndone: false },
});

export type CreateMembershipTypeBody = v.InferOutput<(typeof createMembershipType)['input']['body']>;
