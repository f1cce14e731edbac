import { findMember } from '../../shared/data/scans/find-member.ts';
import type { TestCheckoutDeps } from './baskets.ts';
import { memberOf } from './renewals.ts';

/** What a gate answers now: undefined if the member is admitted. */
export async function refusalAtGate(deps: TestCheckoutDeps, memberId: number): Promise<string | undefined> {
  const { table, nowUnix: scannedUnix, orgId } = deps;
  const { barcode } = await memberOf(deps, memberId);
  const scan = { eventId: 1, barcode: barcode ?? '', gateId: null, gate: null, direction: 'in' } as const;
  const read = {
    orgId,
    scan: { ...scan, scannedUnix, receivedMs: scannedUnix * 1000 },
    item: { kind: 'member', memberId },
  };
  const found = await findMember(table, read);
  if (found === undefined) throw new Error('The barcode is of no member.');
  return found.subject.refusal;
}
