import * as v from 'valibot';
import { field } from './fields.ts';

const dryRun = v.optional(
  field(
    v.boolean(),
    'Whether to check only: nothing is written, and the response says what would be, with `warnings` if the operation has them. As a query parameter or in the body.',
  ),
);

/** Accepted in the query and in the body, because a form and an address are both natural places for it. */
export const dryRunQuery = v.strictObject({ dry_run: dryRun });
export const dryRunField = { dry_run: dryRun };

const Warning = v.strictObject({
  code: field(
    v.picklist([
      'event_without_prices',
      'price_without_stock',
      'sale_never_opens',
      'seat_without_neighbour',
      'aisles_differ',
      'zone_without_price',
      'price_without_seats',
    ]),
    'What may be wrong: the event has no prices, a price has no tickets to sell, its sale never opens, a row has one seat, rows of a drawn section have other aisles than most, nobody sells a zone of the seat map, or a price has no seats.',
  ),
  message: field(v.string(), 'What is likely to go wrong, in words.'),
  param: field(v.nullable(v.string()), 'The field to look at; null if there is none.'),
});

/** The field that a dry run adds to its resource. */
export const warningsField = {
  warnings: v.optional(field(v.array(Warning), 'What may be a mistake, although it is allowed. Only with `dry_run`.')),
};
export type Warning = v.InferOutput<typeof Warning>;
