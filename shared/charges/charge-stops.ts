import { countOutcome, log } from '../platform/log.ts';

/** The worker that charges without the buyer (shared/workers/registry.ts). */
export const chargingWorker = 'charge-instalments';

/** After so many charges in a row that could not be made, the next ones of the organisation would fail alike. */
const maxInARow = 3;

/** What could not be charged, and why: the provider's code, or ours. `unsettled`: it is not known whether money has moved. */
interface RefusedCharge {
  readonly outcome: 'refused' | 'unsettled';
  readonly orgId: string;
  readonly code: string;
  readonly planId?: number;
  readonly renewalId?: number;
}

const refusedTexts: Readonly<Record<RefusedCharge['outcome'], string>> = {
  refused: 'A charge was refused',
  unsettled: 'It is not known whether a charge was paid',
};

/**
 * The organisations that one run charges no more: their account, our key or the provider has a fault. What is due stays due, and
 * the next run tries a few again.
 */
export interface ChargeStops {
  isStopped(orgId: string): boolean;
  /** The provider has answered about a card. */
  answered(orgId: string): void;
  /** A charge that is due could not be made or settled, and the card is not the reason. */
  refused(charge: RefusedCharge): void;
}

export function startChargeStops(): ChargeStops {
  const inARow = new Map<string, number>();
  return {
    isStopped: (orgId) => (inARow.get(orgId) ?? 0) >= maxInARow,
    answered: (orgId) => void inARow.delete(orgId),
    refused({ outcome, orgId, code, planId, renewalId }) {
      inARow.set(orgId, (inARow.get(orgId) ?? 0) + 1);
      const about = { org_id: orgId, plan_id: planId, renewal_id: renewalId, provider_code: code };
      // The alarm and its query find both texts by this outcome.
      log.error(refusedTexts[outcome], { outcome: 'ChargeRefused', ...about });
      countOutcome(chargingWorker, 'ChargeRefused');
    },
  };
}
