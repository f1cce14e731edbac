import * as v from 'valibot';
import { BasketPaymentOption } from './basket.ts';
import { field, resource } from './fields.ts';
import { MembershipType } from './membership-type.ts';

export const OfferedMembershipType = resource(
  'OfferedMembershipType',
  'A membership type, with how it can be paid for now.',
  {
    ...MembershipType.entries,
    payment_options: field(
      v.array(BasketPaymentOption),
      'How this membership can be paid for if it is bought now and alone, as a basket shows it: what is due now, and the shares that are due later. Empty if it has no currency. A basket may offer fewer.',
    ),
  },
);
export type OfferedMembershipType = v.InferOutput<typeof OfferedMembershipType>;
