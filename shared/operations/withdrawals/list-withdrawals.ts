import * as v from 'valibot';
import { withdrawalsAccess } from '../../data/withdrawals/access.ts';
import { withdrawalStatuses } from '../../domain/withdrawals/withdrawal.ts';
import { defineOperation } from '../operation.ts';
import { field, Id } from '../schemas/fields.ts';
import { cursorListOf } from '../schemas/list-envelope.ts';

import { Withdrawal } from '../schemas/withdrawal.ts';

export const listWithdrawals = defineOperation({
  id: 'list-withdrawals',
  resource: 'withdrawals',
  summary: 'List withdrawals',
  description: `Returns withdrawals in the order in which they were first requested. With \`status\` \`received\` they are those that wait for decide-withdrawal; with \`unconfirmed\` those whose
buyers have not confirmed them, also after the token has ended. The list comes from an index, which shows a change shortly after it is made, usually within milliseconds.`,
  method: 'GET',
  paths: ['/v1/withdrawals'],
  auth: { kind: 'metered', scope: 'orders:write' },
  input: {
    query: v.strictObject({
      status: v.optional(field(v.picklist(withdrawalStatuses), 'Only withdrawals with this status.')),
      order_id: v.optional(field(Id, 'Only withdrawals from this order.')),
      limit: v.optional(
        field(
          v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(200)),
          'The maximum number of withdrawals per page.',
        ),
        100,
      ),
      cursor: v.optional(field(v.string(), 'The next_cursor of the previous page.')),
    }),
    queryDependencies: { requires: {}, excludes: [['status', 'order_id']] },
  },
  output: {
    schema: cursorListOf('withdrawals', Withdrawal),
    problems: ['cursor_invalid'],
    links: [{ to: 'retrieve-withdrawal', params: { withdrawal_id: '$response.body#/data/0/withdrawal_id' } }],
  },
  effects: { access: [withdrawalsAccess.listWithdrawals], secrets: ['cursors'] },
});
