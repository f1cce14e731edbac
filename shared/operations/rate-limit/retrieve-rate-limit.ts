import * as v from 'valibot';
import { windowNames } from '../../domain/auth/rate-windows.ts';
import { defineOperation } from '../operation.ts';

const RateLimitWindow = v.pipe(
  v.strictObject({
    name: v.pipe(v.picklist(windowNames), v.description('Whose requests are counted, and for how long.')),
    limit: v.pipe(v.number(), v.integer(), v.description('Requests allowed in the window.')),
    used: v.pipe(v.number(), v.integer(), v.description('Requests made in it so far.')),
    remaining: v.pipe(v.number(), v.integer(), v.description('Requests left in it.')),
    resets_at: v.pipe(v.number(), v.integer(), v.description('When the window starts anew, in Unix seconds.')),
    resets_in: v.pipe(v.number(), v.integer(), v.description('Seconds until then, rounded up.')),
  }),
  v.title('RateLimitWindow'),
);

export const retrieveRateLimit = defineOperation({
  id: 'retrieve-rate-limit',
  resource: 'rate-limit',
  summary: 'Retrieve the request limits',
  description:
    'How much of each request limit is used and when it starts anew. The call itself is not counted and is answered also when a limit is reached.',
  method: 'GET',
  paths: ['/v1/rate_limit'],
  auth: { kind: 'unmetered', scope: 'read' },
  output: {
    schema: v.pipe(
      v.strictObject({
        object: v.literal('rate_limit'),
        org_id: v.pipe(v.string(), v.description('The organisation of the key.')),
        key_id: v.pipe(v.string(), v.description('The key, by the id that the platform team knows it by.')),
        windows: v.array(RateLimitWindow),
      }),
      v.title('RateLimit'),
    ),
  },
});
