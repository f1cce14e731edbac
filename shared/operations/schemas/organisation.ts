import * as v from 'valibot';
import { field, resource } from './fields.ts';

export const Organisation = resource('Organisation', 'A club, venue or promoter: the owner of an API key.', {
  org_id: field(v.string(), 'The reference to give as org when a basket is opened.'),
  name: field(v.string(), 'The name that fans know.'),
  company: field(v.nullable(v.string()), 'Registered name of the legal entity; null when none is recorded.'),
  business_number: field(
    v.nullable(v.string()),
    'Registration number of the legal entity, such as an ABN; null when none is recorded.',
  ),
  payment_account_id: field(
    v.nullable(v.string()),
    "The organisation's account at the payment provider; null until one is connected.",
  ),
  country: field(v.string(), 'ISO 3166-1 alpha-2 code, such as AU.'),
  country_name: field(v.string(), 'The country in English.'),
  timezone: field(v.string(), 'IANA name, such as Australia/Melbourne.'),
  logo_image: field(v.nullable(v.string()), 'Address of the image; null when there is none.'),
  background_image: field(v.nullable(v.string()), 'Address of the image; null when there is none.'),
  favicon: field(v.nullable(v.string()), 'Address of the icon; null when there is none.'),
  background_color: field(v.nullable(v.string()), 'CSS colour, such as #0b2545; null when none was chosen.'),
});
export type Organisation = v.InferOutput<typeof Organisation>;
