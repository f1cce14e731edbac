import * as v from 'valibot';
import { windowNames } from '../../domain/auth/rate-windows.ts';
import { defineOperation } from '../operation.ts';

const RateLimitWindow = v.pipe(
  v.strictObject({
    name: v.pipe(v.picklist(windowNames), v.description('What the window counts, and over which period.')),
    limit: v.pipe(v.number(), v.integer(), v.description('Requests allowed in the window.')),
    used: v.pipe(v.number(), v.integer(), v.description('Requests counted in the window so far.')),
    remaining: v.pipe(v.number(), v.integer(), v.description('Requests left in the window.')),
    resets_at: v.pipe(v.number(), v.integer(), v.description('When the window resets, in Unix seconds.')),
    resets_in: v.pipe(v.number(), v.integer(), v.description('Seconds until the window resets, rounded up.')),
  }),
  v.title('RateLimitWindow'),
  v.description('One request limit and its current use.'),
);

export const retrieveRateLimit = defineOperation({
  id: 'retrieve-rate-limit',
  resource: 'rate-limit',
  summary: 'Retrieve the request limits',
  description:
    'Returns how much of each request limit is used and when it resets. This request does not count against the limits, and works when one is reached.',
  method: 'GET',
  paths: ['/v1/rate_limit'],
  auth: { kind: 'unmetered', scope: 'read' },
  output: {
    schema: v.pipe(
      v.strictObject({
        object: v.pipe(v.literal('rate_limit'), v.description('The type of the object.')),
        org_id: v.pipe(v.string(), v.description('The organisation of the API key.')),
        key_id: v.pipe(v.string(), v.description('The id of the API key.')),
        windows: v.pipe(v.array(RateLimitWindow), v.description('All request limits of the API key.')),
      }),
      v.title('RateLimit'),
      v.description('The request limits of an API key and their current use.'),
    ),
  },
});
