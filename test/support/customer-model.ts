import type { CustomerListing, CustomerPage } from '../../shared/data/customers/list.ts';
import { addedUnixOf, type CustomerRecord } from '../../shared/domain/customers/customer.ts';
import { folded, modelFinds, type SearchedTexts } from './search-model.ts';

/** The rules of the customer list once more, written in the simplest way: over all rows, with no index. */

const lastChanged = (customer: CustomerRecord): number => customer.updatedUnix ?? addedUnixOf(customer);

const searched = ({
  firstName,
  lastName,
  emailAddress,
  mobileNumber,
  postcode,
  ...ids
}: CustomerRecord): SearchedTexts => ({
  texts: [firstName, lastName],
  emails: [emailAddress],
  codes: [mobileNumber, postcode],
  ids: [ids.orgCustomerId, String(ids.userId)],
});

function sortBytes(sort: CustomerListing['sort'], customer: CustomerRecord): Buffer {
  const text = (value: string | null): Buffer =>
    Buffer.from([...folded(value).replaceAll('\u0000', ' ')].slice(0, 150).join(''));
  const number = (value: number): Buffer => Buffer.from(String(value).padStart(20, '0'));
  const values = {
    added: () => number(addedUnixOf(customer)),
    updated: () => number(lastChanged(customer)),
    first: () => text(customer.firstName),
    last: () => text(customer.lastName),
    email: () => text(customer.emailAddress),
  };
  return values[sort]();
}

export type ModelListing = Omit<CustomerListing, 'orgId' | 'page' | 'limit'>;

/** All customers of a listing, in order, over all its pages. */
export function modelList(customers: readonly CustomerRecord[], listing: ModelListing): CustomerRecord[] {
  const { sort, descending, search = '', updatedSince = -1 } = listing;
  const ascending = customers
    .filter((customer) => lastChanged(customer) > updatedSince && modelFinds(searched(customer), search))
    .map((customer) => ({ customer, bytes: sortBytes(sort, customer) }))
    .sort((one, other) => Buffer.compare(one.bytes, other.bytes) || one.customer.userId - other.customer.userId)
    .map(({ customer }) => customer);
  return descending ? ascending.reverse() : ascending;
}

export function modelPage(list: readonly CustomerRecord[], page: number, limit: number): CustomerPage {
  return { customers: list.slice((page - 1) * limit, page * limit), hasMore: list.length > page * limit };
}
