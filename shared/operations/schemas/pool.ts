import * as v from 'valibot';
import { Count, field, Id, resource, Version } from './fields.ts';

export const Pool = resource('Pool', 'A number of places that several prices of an event share.', {
  pool_id: field(Id, 'Unique identifier of the pool.'),
  title: field(v.string(), 'Title of the pool, such as North terrace.'),
  capacity: field(Count, 'How many places exist, including held and sold ones.'),
  available: field(Count, 'How many places are left.'),
  code: field(v.string(), "The organisation's own short name for the pool, by which imports identify it."),
  version: field(
    Version,
    'Raised by every change of the pool and its capacity, not by sales. Send it in If-Match, so that no other change is lost.',
  ),
});
export type Pool = v.InferOutput<typeof Pool>;
