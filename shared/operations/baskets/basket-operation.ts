import * as v from 'valibot';
import type { ProblemCode } from '../problems.ts';
import { field } from '../schemas/fields.ts';

/** Baskets stand at two addresses: with the version, as everything, and without, as the service specification shows them. */
export const basketPaths = (path = ''): readonly [string, string] => [`/v1/baskets${path}`, `/baskets${path}`];

export const basketAuth = { kind: 'metered', scope: 'baskets:write' } as const;

export const basketId = field(v.string(), 'The id of the basket.');

/** What can be wrong with a basket that somebody wants to change. */
export const basketProblems = [
  'basket_expired',
  'basket_cancelled',
  'basket_already_checked_out',
  'checkout_in_progress',
] as const satisfies readonly ProblemCode[];
