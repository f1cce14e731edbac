import * as v from 'valibot';
import { attributeLimits } from '../../domain/customers/attributes.ts';
import { phaseLimits } from '../../domain/phases/phase.ts';
import { eventPath } from '../events/event-path.ts';
import { Title } from '../schemas/catalogue-text.ts';
import { field, StoredNumber, UnixBound } from '../schemas/fields.ts';
import { IdOrDigits, text } from '../schemas/text.ts';

const someIds = (most: number) => v.pipe(v.array(IdOrDigits), v.minLength(1), v.maxLength(most));
const optional = <const Schema extends v.GenericSchema>(schema: Schema, description: string) =>
  v.optional(field(v.nullable(schema), description), null);

/** The fields of a phase that a client sets, on creation and later. */
export const phaseFields = {
  title: field(Title, 'Title of the phase, as fans see it, such as Members first.'),
  from_unix: field(v.nullable(UnixBound), 'Start of the phase, in Unix seconds; null: from the beginning.'),
  until_unix: field(v.nullable(UnixBound), 'End of the phase, in Unix seconds; null: with the sale.'),
  requires: field(
    v.nullable(
      v.strictObject({
        membership_type_ids: optional(
          someIds(phaseLimits.membershipTypeIds),
          'A paid membership of one of these types.',
        ),
        code_campaign_id: optional(IdOrDigits, 'A code of this campaign in the basket.'),
        attribute: optional(
          v.strictObject({
            name: field(
              v.pipe(
                text(attributeLimits.length),
                v.regex(/^[a-z][a-z0-9_]*$/, 'lowercase letters, digits and underscores, such as loyalty_points'),
              ),
              'Name of the attribute, as in set-customer-attributes.',
            ),
            at_least: field(StoredNumber, 'The least that the buyer needs.'),
          }),
          'An attribute of the customer, such as loyalty points.',
        ),
      }),
    ),
    'What a buyer needs: everything that is named; null or an empty object: nothing, everyone may buy.',
  ),
  price_ids: field(
    v.nullable(someIds(phaseLimits.priceIds)),
    'The prices that the phase is for; null: all prices of the event, also later ones.',
  ),
  max_per_person: field(
    v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(phaseLimits.perPerson))),
    'How many tickets one person may buy in the phase, in all orders together; null without a limit. A person is the linked fan, or else the address of the buyer without a +tag.',
  ),
};

export const phasePath = v.strictObject({
  ...eventPath.entries,
  phase_id: field(v.string(), 'The phase_id of the phase.'),
});

/** The problems of every operation that saves a phase. */
export const phaseProblems = ['resource_missing', 'parameter_conflict', 'phase_overlap'] as const;
