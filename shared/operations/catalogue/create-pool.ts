import * as v from 'valibot';
import { pricesAccess } from '../../data/prices/access.ts';
import { eventPath } from '../events/event-path.ts';
import { defineOperation } from '../operation.ts';
import { optionalCode } from '../schemas/catalogue-text.ts';
import { Pool } from '../schemas/pool.ts';
import { poolFields } from './pool-fields.ts';

export const createPool = defineOperation({
  id: 'create-pool',
  resource: 'catalogue',
  summary: 'Create a pool',
  description: 'Creates a pool of the event: places that several prices share. Name it in `pool_id` of these prices.',
  method: 'POST',
  paths: ['/v1/events/{event_id}/pools'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: {
    params: eventPath,
    body: v.strictObject({
      code: optionalCode('pool'),
      ...poolFields,
    }),
  },
  output: { status: 201, schema: Pool, problems: ['code_taken', 'too_many_prices'] },
  effects: { access: [pricesAccess.savePool, pricesAccess.readEventWithCategories], cannotBeUndone: false },
});
