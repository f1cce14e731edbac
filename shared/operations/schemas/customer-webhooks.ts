import * as v from 'valibot';
import { Consent } from './consent.ts';
import { Customer } from './customer.ts';
import { field, Id } from './fields.ts';
import { webhookEvent } from './webhook-envelope.ts';

/** The events about a customer alone. */
export const customerWebhooks = {
  'customer.consent_changed': webhookEvent(
    'customer.consent_changed',
    'CustomerConsentChangedEvent',
    'A customer agreed to something, or withdrew it: by record-consent or at a checkout. Imports announce nothing.',
    {
      customer: Customer,
      consent: field(v.nullable(Consent), 'What the customer said; null if the person was erased since.'),
    },
  ),
  'customer.erased': webhookEvent(
    'customer.erased',
    'CustomerErasedEvent',
    'The data of a person was erased: remove it from your copies. Only ids are left, by which your copies find it.',
    {
      user_id: field(
        v.nullable(Id),
        'The customer; null for somebody who was none, such as the buyer of an imported order.',
      ),
      org_customer_id: field(
        v.nullable(v.string()),
        'The customer_id in paths; null for somebody who was no customer.',
      ),
      order_ids: field(
        v.array(Id),
        'The orders of the person. They stay, without the buyer and the names of their tickets.',
      ),
      membership_member_ids: field(
        v.array(Id),
        'The members that were linked to the person. They stay, without names, contact details, dates of birth and saved payment cards; number and barcode stay.',
      ),
    },
  ),
};
