import { idText } from '../../domain/ids.ts';
import { customerAttributesKey, type ItemKey, partition } from './keys.ts';

/** The email addresses that a customer had before, beside the attributes of the customer. */
export const formerAddressesKey = (orgId: string, userId: number): ItemKey => ({
  pk: customerAttributesKey(orgId, userId).pk,
  sk: 'addresses',
});

export const erasuresPartition = (orgId: string): string => partition('ERS', orgId);

/** The last erasure of a customer, or of an address that no customer had. */
export const erasureKey = ({
  orgId,
  userId,
  addressHash,
}: {
  readonly orgId: string;
  readonly userId: number | null;
  readonly addressHash: string | null;
}): ItemKey => ({
  pk: erasuresPartition(orgId),
  sk: userId === null ? `A#${addressHash}` : `C#${idText(userId)}`,
});
