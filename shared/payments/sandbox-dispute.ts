import type { Dispute } from '../domain/baskets/disputes.ts';
import type { SandboxCharge } from './sandbox-charges.ts';

/** The one dispute that a payment of the sandbox can have. A buyer who disputes it again says the same. */
export function sandboxDispute({ orgId, chargeId, key, amountMinor, currency }: SandboxCharge, nowUnix: number) {
  const dispute: Dispute = {
    disputeId: `dp_${chargeId}`,
    reason: 'fraudulent',
    status: 'needs_response',
    amountMinor,
    currency,
    createdUnix: nowUnix,
  };
  // The key begins with the basket, whose id is that of the order.
  return { orgId, basketId: Number(key.split('-')[0]), account: null, chargeId, dispute };
}
