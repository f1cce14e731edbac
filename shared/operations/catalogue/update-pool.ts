import * as v from 'valibot';
import { catalogueAccess } from '../../catalogue/access.ts';
import { pricesAccess } from '../../data/prices/access.ts';
import { defineOperation } from '../operation.ts';
import { Pool } from '../schemas/pool.ts';
import { poolFields } from './pool-fields.ts';
import { poolPath } from './price-path.ts';

export const updatePool = defineOperation({
  id: 'update-pool',
  resource: 'catalogue',
  summary: 'Update a pool',
  description:
    'Changes the fields that you send and leaves the others unchanged. The capacity cannot be lower than what is sold and held.',
  method: 'PATCH',
  paths: ['/v1/events/{event_id}/pools/{pool_id}'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: {
    params: poolPath,
    ifMatch: true,
    body: v.pipe(v.partial(v.strictObject(poolFields)), v.minEntries(1, 'Send at least one field to change.')),
  },
  output: { schema: Pool, problems: ['parameter_missing', 'capacity_taken'] },
  effects: { access: [catalogueAccess.updatePool, pricesAccess.readStock], cannotBeUndone: false },
});
