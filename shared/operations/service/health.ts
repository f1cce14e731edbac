import * as v from 'valibot';
import { defineOperation } from '../operation.ts';

export const health = defineOperation({
  id: 'health',
  resource: 'service',
  summary: 'Check that the service answers',
  description: 'Answers 200 when the service can reach its table, 503 when it cannot. Needs no key and is not counted.',
  method: 'GET',
  paths: ['/v1/health'],
  auth: { kind: 'public' },
  output: {
    schema: v.pipe(
      v.strictObject({
        object: v.literal('health'),
        status: v.literal('ok'),
        time: v.pipe(v.number(), v.integer(), v.description("The service's clock, in Unix seconds.")),
      }),
      v.title('Health'),
    ),
  },
  effects: { access: { PING: ['GetItem'] } },
  runtime: { concurrency: 20 },
});
