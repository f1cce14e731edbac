import * as v from 'valibot';
import { missingRequirements } from '../../domain/phases/phase.ts';
import { Count, field, Id, resource, UnixSeconds, Version } from './fields.ts';

const PhaseAttribute = resource('PhaseAttribute', 'A number that the organisation keeps of a customer.', {
  name: field(v.string(), 'Name of the attribute, as in set-customer-attributes.'),
  at_least: field(v.number(), 'The least that the buyer needs.'),
});

const PhaseRequirements = resource(
  'PhaseRequirements',
  'What a buyer needs to buy in a phase: everything that is named.',
  {
    membership_type_ids: field(
      v.nullable(v.array(Id)),
      'A paid membership of one of these types; null if none is needed.',
    ),
    code_campaign_id: field(v.nullable(Id), 'A code of this campaign in the basket; null if none is needed.'),
    attribute: v.nullable(PhaseAttribute),
  },
);

export const Phase = resource('Phase', 'A time in which prices of an event are sold, to everyone or to some people.', {
  phase_id: field(Id, 'Unique identifier of the phase.'),
  title: field(v.string(), 'Title of the phase, as fans see it, such as Members first.'),
  from_unix: field(v.nullable(UnixSeconds), 'Start of the phase, in Unix seconds; null if from the beginning.'),
  until_unix: field(v.nullable(UnixSeconds), 'End of the phase, in Unix seconds; null if with the sale.'),
  requires: PhaseRequirements,
  price_ids: field(v.nullable(v.array(Id)), 'The prices that the phase is for; null for all of the event.'),
  max_per_person: field(
    v.nullable(Count),
    'How many tickets one person may buy in the phase, in all orders together; null without a limit.',
  ),
  version: field(Version, 'Raised by every change of the phase. Send it in If-Match, so that no other change is lost.'),
});
export type Phase = v.InferOutput<typeof Phase>;

export const MissingRequirement = v.picklist(missingRequirements);

/** What an error says about phases, so that a page can tell the fan when to come back, or what is missing. */
export const RefusedPhase = resource('RefusedPhase', 'When a price is sold next, or what the buyer needs now.', {
  phase_id: field(v.nullable(Id), 'The phase that is open; null if none is.'),
  title: field(v.nullable(v.string()), 'Title of the phase that is open, or of the next one; null if there is none.'),
  next_phase_from_unix: field(
    v.nullable(UnixSeconds),
    'When the next phase of the price opens, in Unix seconds; null if there is none.',
  ),
  missing: field(
    v.array(MissingRequirement),
    'What the buyer lacks: a membership of one of the types, a code of the campaign in the basket, or enough of the attribute.',
  ),
});
export type RefusedPhase = v.InferOutput<typeof RefusedPhase>;
