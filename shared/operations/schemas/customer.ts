import * as v from 'valibot';
import { field, Id, resource, UnixSeconds } from './fields.ts';

export const Customer = resource('Customer', 'A fan known to the organisation: someone who bought, or was imported.', {
  add_date: field(UnixSeconds, 'When the customer was added, in Unix seconds.'),
  org_customer_id: field(v.string(), 'The id to retrieve this customer with.'),
  user_id: field(Id, 'The number that orders and members refer to this person by.'),
  org_id: field(v.string(), 'The organisation that owns this record.'),
  first_name: field(v.nullable(v.string()), 'Given name; null when never told.'),
  last_name: field(v.nullable(v.string()), 'Family name; null when never told.'),
  email_address: field(
    v.nullable(v.string()),
    'At most one customer of an organisation has a given address; null when never told.',
  ),
  marketing_emails: field(v.boolean(), 'Whether the customer agreed to marketing by email.'),
  mobile_number: field(v.nullable(v.string()), 'As the customer wrote it; null when never told.'),
  postcode: field(v.nullable(v.string()), 'Postal code of the customer; null when never told.'),
  new_event_notifications: field(v.boolean(), 'Whether the customer asked to hear about new events.'),
  updated_at: field(v.nullable(UnixSeconds), 'When the customer last changed, in Unix seconds; null until then.'),
});
export type Customer = v.InferOutput<typeof Customer>;
