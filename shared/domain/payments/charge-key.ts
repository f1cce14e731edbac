/** What a payment is for. Instalments are charged without a basket, and later renewals too. */
const chargeOwnerKinds = ['basket', 'instalment', 'renewal'] as const;

export interface ChargeOwner {
  readonly kind: (typeof chargeOwnerKinds)[number];
  readonly id: number;
}

export function chargeOwnerOfBasket({ basketId }: { readonly basketId: number }): ChargeOwner {
  return { kind: 'basket', id: basketId };
}

/** The instalments of a plan are charged one after the other, for the plan. */
export function chargeOwnerOfPlan({ planId }: { readonly planId: number }): ChargeOwner {
  return { kind: 'instalment', id: planId };
}

/** Charges in flight and recorded ones have keys that begin with the id of their basket, so only other owners name their kind. */
function ownerText({ kind, id }: ChargeOwner): string {
  return kind === 'basket' ? String(id) : `${kind}-${id}`;
}

/** The provider's idempotency key of one attempt to pay. */
export function chargeKey(owner: ChargeOwner, attempt: number): string {
  return `${ownerText(owner)}-${attempt}`;
}

/** The provider's idempotency key of one attempt to charge an instalment. */
export function instalmentChargeKey(
  plan: { readonly planId: number },
  { number, attempt }: { readonly number: number; readonly attempt: number },
): string {
  return `${chargeKey(chargeOwnerOfPlan(plan), number)}-${attempt}`;
}

/** The provider's idempotency key of one try to save a payment method. */
export function setupKey({ renewalId, setups }: { readonly renewalId: number; readonly setups: number }): string {
  return `${ownerText({ kind: 'renewal', id: renewalId })}-setup-${setups}`;
}

export function refundKey(owner: ChargeOwner, number: number): string {
  return `${ownerText(owner)}-refund-${number}`;
}

/** The number of the refund with this key; undefined if it is not one of an order. */
export function refundNumberOf(key: string): number | undefined {
  const [, number] = /-refund-(\d+)(-\d+)?$/.exec(key) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** The owner of the charge with this key. */
export function ownerOfCharge(key: string): ChargeOwner {
  const [first = '', second] = key.split('-');
  const kind = chargeOwnerKinds.find((each) => each === first);
  return kind === undefined ? { kind: 'basket', id: Number(first) } : { kind, id: Number(second) };
}
