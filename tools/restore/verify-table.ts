import { threeLooks } from '../../shared/data/audit/confirm.ts';
import { auditOrganisationStep, type OrganisationStep } from '../../shared/data/audit/organisation.ts';
import { type OrganisationPosition, organisationStart } from '../../shared/data/audit/position.ts';
import { requireProgress } from '../../shared/data/audit/progress.ts';
import { nextOrganisation } from '../../shared/data/organisations/directory.ts';
import { readOrganisation } from '../../shared/data/organisations/organisation.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { typedKeys } from '../../shared/domain/typed-keys.ts';
import { type Clock, unixSeconds } from '../../shared/platform/clock.ts';

export interface Verified {
  readonly counts: Readonly<Record<'organisations' | 'events' | 'orders' | 'scans' | 'customers' | 'members', number>>;
  /** Rows that contradict each other. A point in time is one consistent state of all rows, so there should be none. */
  readonly findings: number;
}

/** Reads and audits every organisation of a restored table, at the time of its stage: what is due tells right from wrong. */
export async function verifyTable(table: Table, clock: Clock, print: (line: string) => void): Promise<Verified> {
  const counts = { organisations: 0, events: 0, orders: 0, scans: 0, customers: 0, members: 0 };
  let findings = 0;
  const run = { nowUnix: unixSeconds(clock), confirmation: threeLooks };
  for (
    let orgId = await nextOrganisation(table, '');
    orgId !== undefined;
    orgId = await nextOrganisation(table, orgId)
  ) {
    if ((await readOrganisation(table, orgId)) === undefined) throw new Error(`The organisation ${orgId} is missing.`);
    counts.organisations += 1;
    for (let at: OrganisationPosition | undefined = organisationStart; at !== undefined; ) {
      const step: OrganisationStep = await auditOrganisationStep(table, orgId, at, run);
      for (const name of typedKeys(step.counts)) counts[name] += step.counts[name];
      for (const { check, row, problem } of step.findings) print(`  ${check}: ${row}: ${problem}`);
      findings += step.findings.length;
      requireProgress({ part: 'organisation', orgId, at }, step.next && { part: 'organisation', orgId, at: step.next });
      at = step.next;
    }
  }
  return { counts, findings };
}
