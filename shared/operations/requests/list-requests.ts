import * as v from 'valibot';
import { requestLogAccess } from '../../data/requests/access.ts';
import { timeRangeOf } from '../events/time-range.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { cursorListOf } from '../schemas/list-envelope.ts';
import { LoggedRequest } from '../schemas/logged-request.ts';

export const listRequests = defineOperation({
  id: 'list-requests',
  resource: 'requests',
  summary: 'List all requests',
  description: `Returns the calls with your API keys of the last 14 days, newest first: what you called, when, and what was answered. It contains no
bodies, addresses, tokens or personal data: find the details in your own log, by \`request_id\`. Calls with storefront and gate tokens, calls
whose key was refused, and calls that no operation received (an unknown path) are not listed. A call whose row could not
be written is missing too: the log is for support, not for accounting.

The list ends six seconds before now, so that no call can appear before one that you have already read. With \`operation_id\`, \`status\` or
\`key_id\` a page looks at 1,000 calls at most. It may have fewer than \`limit\`, or none, although older ones match: continue with
\`next_cursor\` while \`has_more\` is true, or set \`unix_start\` and \`unix_end\`.`,
  method: 'GET',
  paths: ['/v1/requests'],
  auth: { kind: 'metered', scope: 'read' },
  input: {
    query: v.strictObject({
      ...timeRangeOf('Only return calls that were answered'),
      operation_id: v.optional(field(v.string(), 'Only return calls of this operation, such as check-out-basket.')),
      status: v.optional(
        field(
          v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)),
          'Only return calls with this HTTP status.',
        ),
      ),
      key_id: v.optional(field(v.string(), 'Only return calls with this API key. It is the id, not the key.')),
      limit: v.optional(
        field(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)), 'The maximum number of calls per page.'),
        100,
      ),
      cursor: v.optional(field(v.string(), 'The next_cursor of the previous page. Requires the same filters.')),
    }),
  },
  output: { schema: cursorListOf('requests', LoggedRequest), problems: ['cursor_invalid'] },
  effects: { access: [requestLogAccess.readRequests], secrets: ['cursors'] },
});
