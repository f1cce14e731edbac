import { readRenewal, saveRenewal } from '../renewals/renewals.ts';
import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';

/**
 * Removes from the record of a membership what leads to the person: the saved method and the consent. The membership does not renew
 * itself any more. Returns whether anything was left to remove.
 */
export function eraseRenewal(table: Table, orgId: string, renewalId: number): Promise<boolean> {
  return retryRaces('auto-renewal', async () => {
    const before = await readRenewal(table, orgId, renewalId);
    if (before === undefined) return false;
    const { saved, setup, consent, isOn } = before;
    if (saved === null && setup === null && consent === null && !isOn) return false;
    const erased = { ...before, saved: null, setup: null, consent: null, isOn: false, round: null };
    return (await saveRenewal(table, orgId, before, erased)) === undefined ? undefined : true;
  });
}
