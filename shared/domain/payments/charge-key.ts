/** What a payment is for. Baskets are all that is paid today; the other kinds are charged without one. */
const chargeOwnerKinds = ['basket', 'instalment', 'renewal'] as const;

export interface ChargeOwner {
  readonly kind: (typeof chargeOwnerKinds)[number];
  readonly id: number;
}

export function basketOwner({ basketId }: { readonly basketId: number }): ChargeOwner {
  return { kind: 'basket', id: basketId };
}

/** Charges in flight and recorded ones have keys that begin with the id of their basket, so only other owners name their kind. */
function ownerText({ kind, id }: ChargeOwner): string {
  return kind === 'basket' ? String(id) : `${kind}-${id}`;
}

/** The provider's idempotency key of one attempt to pay. */
export function chargeKey(owner: ChargeOwner, attempt: number): string {
  return `${ownerText(owner)}-${attempt}`;
}

export function refundKey(owner: ChargeOwner, number: number): string {
  return `${ownerText(owner)}-refund-${number}`;
}

/** The owner of the charge with this key. */
export function ownerOfCharge(key: string): ChargeOwner {
  const [first = '', second] = key.split('-');
  const kind = chargeOwnerKinds.find((each) => each === first);
  return kind === undefined ? { kind: 'basket', id: Number(first) } : { kind, id: Number(second) };
}
