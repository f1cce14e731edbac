import * as v from 'valibot';
import { field, resource } from './fields.ts';

export const Organisation = resource('Organisation', 'A club, venue or promoter.', {
  org_id: field(v.string(), 'Unique identifier of the organisation.'),
  name: field(v.string(), 'Name of the organisation, as fans know it.'),
  company: field(v.nullable(v.string()), 'Registered name of the legal entity; null if unknown.'),
  business_number: field(
    v.nullable(v.string()),
    'Registration number of the legal entity, such as an ABN; null if unknown.',
  ),
  payment_account_id: field(
    v.nullable(v.string()),
    'Account of the organisation at the payment provider; null if none is connected.',
  ),
  country: field(v.string(), 'ISO 3166-1 alpha-2 country code, such as AU.'),
  country_name: field(v.string(), 'Name of the country in English.'),
  timezone: field(v.string(), 'IANA name of the timezone, such as Australia/Melbourne.'),
  locale: field(
    v.string(),
    'Language and country of tickets, receipts and passes, as a BCP 47 tag such as en, de-AT or fr-CA. Texts of the API stay English.',
  ),
  logo_image: field(v.nullable(v.string()), 'URL of the logo; null if there is none.'),
  background_image: field(v.nullable(v.string()), 'URL of the background image; null if there is none.'),
  favicon: field(v.nullable(v.string()), 'URL of the favicon; null if there is none.'),
  background_color: field(v.nullable(v.string()), 'Background colour in CSS, such as #0b2545; null if none is set.'),
});
export type Organisation = v.InferOutput<typeof Organisation>;
