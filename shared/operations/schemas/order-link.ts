import * as v from 'valibot';
import { field } from './fields.ts';

/** Events do not have it: they are forwarded. */
export const orderLink = field(
  v.nullable(v.string()),
  'A page for the buyer with the status of the order, its valid tickets and their documents, without those that were given away. Whoever has it can show the tickets. Null for an order without tickets, and a day after the start of the event.',
);
