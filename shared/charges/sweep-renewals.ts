import { renewalHint } from '../data/renewals/renewals.ts';
import { lookAtRenewal } from './look-at-renewal.ts';
import { type SweepDeps, sweepDue } from './sweep-due.ts';

/** Looks at every membership that renews itself and is due. */
export function sweepRenewals(deps: SweepDeps): Promise<void> {
  return sweepDue(deps, { kind: 'renewal', look: lookAtRenewal, hintOf: renewalHint });
}
