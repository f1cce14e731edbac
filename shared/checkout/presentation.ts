import type { OrganisationRecord } from '../data/organisations/organisation.ts';
import type { BasketBuyer } from '../domain/baskets/basket.ts';
import type { PaymentPresentation } from '../payments/provider.ts';

/** How the buyer sees a payment, by the settings of the organisation. A buyer who was erased gets no receipt. */
export function presentationOf(
  organisation: OrganisationRecord | undefined,
  buyer: BasketBuyer | null,
): PaymentPresentation {
  return {
    statementDescriptor: organisation?.statementDescriptor ?? null,
    receiptEmail: organisation?.sendsReceipts ? (buyer?.emailAddress ?? null) : null,
  };
}
