import type { CustomerListing, CustomerPage } from '../../shared/data/customers/list.ts';
import { addedUnixOf, type CustomerRecord } from '../../shared/domain/customers/customer.ts';

/** The rules of the customer list once more, written in the simplest way: over all rows, with no index. */

const equivalents: readonly (readonly [string, string])[] = [
  ...[...'ςøłđı’‘ʼ'].map((letter, index) => [letter, "σoldi'''".charAt(index)] as const),
  ...(['ßss', 'æae', 'œoe'] as const).map(([letter = '', ...others]) => [letter, others.join('')] as const),
];
const folded = (text: string | null): string =>
  equivalents.reduce(
    (known, [letter, other]) => known.replaceAll(letter, other),
    (text ?? '').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase(),
  );
const tokens = (text: string | null): string[] =>
  folded(text)
    .split(/[\s\p{C}]+/u)
    .filter((token) => token !== '')
    .map((token) => [...token].slice(0, 100).join(''));
const isPlain = (character: string | undefined): boolean => /^[\p{L}\p{N}]/u.test(character ?? '');
const withSuffixes = (token: string): string[] => {
  const characters = [...token];
  const starts = characters.map((one, index) => index === 0 || (isPlain(one) && !isPlain(characters[index - 1])));
  return characters.map((_, index) => characters.slice(index).join('')).filter((_, index) => starts[index]);
};
const lastChanged = (customer: CustomerRecord): number => customer.updatedUnix ?? addedUnixOf(customer);

function modelFinds(customer: CustomerRecord, query: string): boolean {
  const { firstName, lastName, emailAddress, mobileNumber, postcode } = customer;
  const spaceSeparated = [firstName, lastName, emailAddress, mobileNumber, postcode].flatMap(tokens);
  const number = folded(mobileNumber).replace(/[^\p{L}\p{N}]/gu, '');
  const words = [
    ...spaceSeparated.flatMap(withSuffixes),
    number,
    ...(mobileNumber?.startsWith('+') ? [`+${number}`] : []),
  ].filter(Boolean);
  const ids = [tokens(customer.orgCustomerId).join(' '), String(customer.userId)];
  const wanted = tokens(query);
  if (wanted.length === 0) return query.trim() === '';
  return (
    wanted.every((token) => ids.includes(token) || words.some((word) => word.startsWith(token))) ||
    ids.includes(wanted.join(' '))
  );
}

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
    .filter((customer) => lastChanged(customer) > updatedSince && modelFinds(customer, search))
    .map((customer) => ({ customer, bytes: sortBytes(sort, customer) }))
    .sort((one, other) => Buffer.compare(one.bytes, other.bytes) || one.customer.userId - other.customer.userId)
    .map(({ customer }) => customer);
  return descending ? ascending.reverse() : ascending;
}

export function modelPage(list: readonly CustomerRecord[], page: number, limit: number): CustomerPage {
  return { customers: list.slice((page - 1) * limit, page * limit), hasMore: list.length > page * limit };
}
