import * as v from 'valibot';
import { field, Id } from '../schemas/fields.ts';

/** The tickets of an order that a request is about; null means all of them. */
export const ticketIds = (description: string) =>
  v.optional(field(v.nullable(v.pipe(v.array(Id), v.minLength(1), v.maxLength(63))), description), null);
