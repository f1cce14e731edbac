import { createHash } from 'node:crypto';
import { personAddress } from '../../domain/customers/person-address.ts';
import { idText } from '../../domain/ids.ts';
import { type ItemKey, partition } from './keys.ts';
import type { PersonHash } from './person-hash.ts';

const onlyItem = '#';

/** A withdrawal of a buyer from memberships. */
export const withdrawalKey = (orgId: string, withdrawalId: string): ItemKey => ({
  pk: partition('WDR', orgId),
  sk: withdrawalId,
});
/** Withdrawals in the order in which they were received, in indexes: all, those of a status, or those of an order. */
export const withdrawalsPartition = (orgId: string, ...narrower: string[]): string =>
  partition('WDR', orgId, 'all', ...narrower);
/** The open withdrawal from a term. */
export const openWithdrawalKey = (orgId: string, termId: number): ItemKey => ({
  pk: partition('WDR', orgId, 'open'),
  sk: idText(termId),
});

/** What somebody typed into a page. */
export interface TypedWithdrawal {
  readonly order: string;
  readonly emailAddress: string;
  /** Null: all that can be withdrawn. */
  readonly memberIds: readonly number[] | null;
}

/**
 * What a page asked last for an order and members of it, as they were typed, and an address. None need exist, and the key names none. To
 * withdraw from other members is another request, with its own time.
 */
export function askedWithdrawalKey(orgId: string, typed: TypedWithdrawal, hash: PersonHash): ItemKey {
  const { order, emailAddress, memberIds } = typed;
  const members = memberIds?.toSorted((one, other) => one - other);
  const parts = [order.toLowerCase(), hash.address(orgId, personAddress(emailAddress)), members];
  const asked = createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
  return { pk: partition('WDR', orgId, 'asked', asked), sk: onlyItem };
}

/** When an address was last asked to confirm a withdrawal. */
export const announcedWithdrawalKey = (orgId: string, emailAddress: string, hash: PersonHash): ItemKey => ({
  pk: partition('WDR', orgId, 'told', hash.address(orgId, personAddress(emailAddress))),
  sk: onlyItem,
});
