import { type CustomerRecord, emailIdentity } from '../../domain/customers/customer.ts';
import { customerIds, customerWords } from '../../domain/customers/search.ts';
import { type Names, nameIdentity } from '../../domain/customers/shared-address.ts';
import { sortKeyOf } from '../../domain/customers/sort.ts';
import { idText } from '../../domain/ids.ts';
import type { RowRange } from '../lists/range-reader.ts';
import { type WordEntry, wordItems, wordRange } from '../lists/word-row.ts';
import { customerViewPartition, type ItemKey, uniqueKey } from '../table/keys.ts';
import type { PersonHash } from '../table/person-hash.ts';
import { idLength, parseSortableText, sortableText } from '../table/sortable-text.ts';
import { type CustomerItem, customerAttributes, customerRow } from './row.ts';

/** All items of a customer: the row, its unique values and its views. */
export function customerItems(orgId: string, record: CustomerRecord, hash: PersonHash): CustomerItem[] {
  return [customerRow(orgId, record), ...uniqueItems(orgId, record, hash), ...customerViews(orgId, record, hash)];
}

/** Whether an org_customer_id may be an id that the service has generated: those have 16 digits, since 1985. */
export const isGeneratedId = (orgCustomerId: string): boolean => /^\d{16}$/.test(orgCustomerId);

export const customerIdKey = (orgId: string, orgCustomerId: string): ItemKey =>
  uniqueKey(orgId, 'customer', orgCustomerId);

export const addressKey = (orgId: string, emailAddress: string, hash: PersonHash): ItemKey =>
  uniqueKey(orgId, 'email', hash.address(orgId, emailAddress));

/**
 * The values that must be unique: the org_customer_id, and an address among the customers that checkouts created for it. A
 * customer whose org_customer_id is its own id is found by its row. (A new id contains the second. An organisation would have to
 * have imported the id of a coming second for the two to be the same.)
 */
export function uniqueItems(orgId: string, record: CustomerRecord, hash: PersonHash): CustomerItem[] {
  const { userId: id, orgCustomerId, emailAddress, ownsAddress } = record;
  return [
    ...(isGeneratedId(orgCustomerId) && orgCustomerId === String(id)
      ? []
      : [{ ...customerIdKey(orgId, orgCustomerId), id }]),
    ...(ownsAddress && emailAddress !== null ? [{ ...addressKey(orgId, emailAddress, hash), id }] : []),
  ];
}

/** The indexes of the view by email address that have the orders by name. */
export const nameIndexes = { first: 'by2', last: 'by3' } as const;

/**
 * Full copies of the row for the sort orders and the look-ups, so a list needs no second read, and its search words. They
 * are written in the same transaction as the row. The copy in the order of email addresses is in indexes too, for the orders by
 * name: an index costs half of another copy. The row is not, because its lists would have to read the keys of more indexes.
 */
export function customerViews(orgId: string, record: CustomerRecord, hash: PersonHash): CustomerItem[] {
  const attributes = customerAttributes(record);
  const sorted = {
    pk: customerViewPartition(orgId, 'email'),
    sk: sortKeyOf('email', record),
    by2pk: customerViewPartition(orgId, 'first'),
    by2sk: sortKeyOf('first', record),
    by3pk: customerViewPartition(orgId, 'last'),
    by3sk: sortKeyOf('last', record),
  };
  const words = wordItems(customerWords(record), wordPartition(orgId), sortableText(record.userId, idLength));
  // The user id needs no view, because it is the key of the row.
  const foreignIds = customerIds(record).filter((id) => id !== String(record.userId));
  const named = foreignIds.map((id) => ({
    pk: customerViewPartition(orgId, 'id'),
    sk: `${id}\u0000${idText(record.userId)}`,
  }));
  const copies = [sorted, ...named, ...addressKeys(orgId, record, hash)].map((key) => ({ ...key, ...attributes }));
  return [...copies, ...words];
}

/** A customer that owns its address is found by it. */
function addressKeys(orgId: string, record: CustomerRecord, hash: PersonHash): ItemKey[] {
  const { emailAddress, userId, ownsAddress } = record;
  if (ownsAddress || emailAddress === null || emailIdentity(emailAddress) === '') return [];
  const range = addressRange(orgId, { ...record, emailAddress }, hash);
  return [{ pk: range.pk, sk: `${range.prefix}${idText(userId)}` }];
}

/** The customers with this email address and these names, the oldest first. */
export function addressRange(orgId: string, buyer: Names & { readonly emailAddress: string }, hash: PersonHash) {
  return {
    pk: customerViewPartition(orgId, 'address', hash.address(orgId, buyer.emailAddress)),
    prefix: `${hash.names(orgId, nameIdentity(buyer))}\u0000`,
  };
}

const wordPartition = (orgId: string) => (firstCharacter: string) =>
  customerViewPartition(orgId, 'word', firstCharacter);

/** The customers with a word that starts with a key. A customer with two such words appears twice. */
export function customerWordRange(orgId: string): (key: string) => RowRange<WordEntry> {
  return wordRange<WordEntry>(wordPartition(orgId), (tail) => ({ id: parseSortableText(tail) }));
}
