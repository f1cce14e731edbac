import * as v from 'valibot';
import { field, Id, resource, UnixSeconds } from './fields.ts';
import { Metadata } from './metadata.ts';

export const Customer = resource('Customer', 'A fan known to the organisation through a purchase or an import.', {
  add_date: field(UnixSeconds, 'When the customer was added, in Unix seconds.'),
  org_customer_id: field(v.string(), 'The customer_id in paths.'),
  user_id: field(Id, 'The id that orders and members use to refer to the customer.'),
  org_id: field(v.string(), 'The organisation that owns this record.'),
  first_name: field(v.nullable(v.string()), 'Given name; null if unknown.'),
  last_name: field(v.nullable(v.string()), 'Family name; null if unknown.'),
  email_address: field(v.nullable(v.string()), 'Email address, unique within the organisation; null if unknown.'),
  marketing_emails: field(v.boolean(), 'Whether the customer agreed to marketing by email.'),
  mobile_number: field(v.nullable(v.string()), 'Mobile number, as the customer entered it; null if unknown.'),
  postcode: field(v.nullable(v.string()), 'Postal code; null if unknown.'),
  new_event_notifications: field(v.boolean(), 'Whether the customer asked to be notified of new events.'),
  updated_at: field(v.nullable(UnixSeconds), 'When the customer was last updated, in Unix seconds; null if never.'),
  metadata: Metadata,
});
export type Customer = v.InferOutput<typeof Customer>;

export const CustomerWithAttributes = resource(
  'CustomerWithAttributes',
  'A customer with the numbers that the organisation keeps of it.',
  {
    ...Customer.entries,
    attributes: field(v.record(v.string(), v.number()), 'What set-customer-attributes has set; empty if nothing.'),
  },
);
