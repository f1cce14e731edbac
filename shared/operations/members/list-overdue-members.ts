import * as v from 'valibot';
import { plansAccess } from '../../data/plans/access.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { cursorListOf } from '../schemas/list-envelope.ts';
import { OverduePlan } from '../schemas/overdue-plan.ts';

export const listOverdueMembers = defineOperation({
  id: 'list-overdue-members',
  resource: 'members',
  summary: 'List the members who are overdue',
  description: `Returns who has not paid an instalment, how much and since when, the oldest debt first: one item for each payment plan, with everybody
whose membership it pays for. A plan is listed from the moment at which the payment provider has declined an instalment that was due, until it is
paid or cancelled. The list comes from an index, which shows a change shortly after it is made, usually within milliseconds.`,
  method: 'GET',
  paths: ['/v1/members/overdue'],
  auth: { kind: 'metered', scope: 'read' },
  input: {
    query: v.strictObject({
      limit: v.optional(
        field(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)), 'The maximum number of plans per page.'),
        50,
      ),
      cursor: v.optional(field(v.string(), 'The next_cursor of the previous page.')),
    }),
  },
  output: { schema: cursorListOf('overdue_members', OverduePlan), problems: ['cursor_invalid'] },
  effects: { access: [plansAccess.readOverduePlans], secrets: ['cursors'] },
});
