import * as v from 'valibot';
import { codeEffects, codeLimits } from '../../domain/codes/campaign.ts';
import { Amount, Title } from '../schemas/catalogue-text.ts';
import { field, UnixBound } from '../schemas/fields.ts';
import { IdOrDigits } from '../schemas/text.ts';

const ids = (most: number) => v.pipe(v.array(IdOrDigits), v.maxLength(most));
const someIds = (most: number) => v.pipe(v.array(IdOrDigits), v.minLength(1), v.maxLength(most));

/** The fields of a campaign that a client sets, on creation and later. */
export const campaignFields = {
  title: field(Title, 'Title of the campaign, for your staff.'),
  effect: field(
    v.strictObject({
      kind: field(
        v.picklist(codeEffects),
        'percent reduces the price by a percentage, amount by an amount, fixed_price to an amount; none changes no price, for codes that only reveal prices.',
      ),
      value: v.optional(
        field(
          Amount,
          'The percentage, at most 100 with two decimals, or the amount in major units of the currency of the event, with at most two decimals. Leave it out for none. A reduction is rounded down to what cards can be charged.',
        ),
        0,
      ),
    }),
    'What a code does to the price of each ticket. Fees stay as they are, and no price goes below 0.',
  ),
  price_ids: field(
    v.nullable(someIds(codeLimits.priceIds)),
    'The prices that the codes are for. Send either price_ids or event_ids, or neither for all tickets.',
  ),
  event_ids: field(v.nullable(someIds(codeLimits.eventIds)), 'The events that the codes are for.'),
  from_unix: field(
    v.nullable(UnixBound),
    'From when the codes are valid. Before, they look like codes that do not exist.',
  ),
  until_unix: field(v.nullable(UnixBound), 'Until when the codes are valid.'),
  uses_per_code: field(
    v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(codeLimits.uses))),
    'In how many baskets each code can be used: 1 for single codes, null without a limit. Fewer than are used stops further uses.',
  ),
  reveals_price_ids: field(ids(codeLimits.priceIds), 'Prices that nobody sees or buys without a code of the campaign.'),
};

export const campaignPath = v.strictObject({ code_campaign_id: field(v.string(), 'The id of the campaign.') });

/** The problems of every operation that saves a campaign. */
export const campaignProblems = ['resource_missing', 'parameter_conflict'] as const;
