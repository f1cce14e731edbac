import * as v from 'valibot';
import { tableAccess } from '../../data/table/access.ts';
import { defineOperation } from '../operation.ts';

export const health = defineOperation({
  id: 'health',
  resource: 'service',
  summary: 'Check the health of the service',
  description:
    'Returns 200 if the service can reach its database, and 503 if it cannot. Requires no API key and does not count against the request limits.',
  method: 'GET',
  paths: ['/v1/health'],
  auth: { kind: 'public' },
  output: {
    schema: v.pipe(
      v.strictObject({
        object: v.pipe(v.literal('health'), v.description('The type of the object.')),
        status: v.pipe(v.literal('ok'), v.description('Always ok.')),
        time: v.pipe(v.number(), v.integer(), v.description('The current time of the service, in Unix seconds.')),
      }),
      v.title('Health'),
      v.description('The health of the service.'),
    ),
  },
  effects: { access: [tableAccess.ping] },
  runtime: { concurrency: 20 },
});
