import type { Dispute } from '../domain/baskets/disputes.ts';
import { ownerOfCharge } from '../domain/payments/charge-key.ts';
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
  return { orgId, owner: ownerOfCharge(key), account: null, chargeId, dispute };
}
