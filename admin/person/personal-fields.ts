/**
 * Every field of the API with what a person typed, or what staff typed about a person, and the resources that have it. All of
 * them may be null. Events and stored responses are copies of these resources. A new field belongs here, and in the section
 * that erases its own record (`personSections`).
 */
export const personalFields: Readonly<Record<string, string>> = {
  first_name: 'customer, member, order, buyer of a basket, holder of a ticket',
  last_name: 'customer, member, order, buyer of a basket, holder of a ticket',
  email: 'buyer of a basket, recipient of a ticket, somebody in a waiting list',
  email_address: 'customer, member, order, ticket, scan',
  person_id: 'member',
  mobile_number: 'customer, member',
  date_of_birth: 'member',
  gender: 'member',
  company_name: 'member',
  address: 'member',
  address2: 'member',
  suburb: 'member',
  state: 'member',
  postcode: 'customer, member, order',
  country_id: 'member, order',
  fulfillment_tracking_code: 'member',
  buyer: 'document',
  consent: 'event of a consent',
  text_version: 'consent',
  metadata: 'customer, member, order, basket; without a person it is {}',
  ticket_name: 'ticket, scan',
  reason:
    'refund (that of a cancelled event is about the event), withdrawal that was refused, basket that is kept for somebody, block of seats',
};
