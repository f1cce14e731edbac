import { everyEvent } from '../../shared/data/admin/read-all.ts';
import { confirmed, threeLooks } from '../../shared/data/audit/confirm.ts';
import { auditHints } from '../../shared/data/audit/hints.ts';
import { auditOrganisationStep, type OrganisationStep } from '../../shared/data/audit/organisation.ts';
import { eventStart, type OrganisationPosition, organisationStart } from '../../shared/data/audit/position.ts';
import { requireProgress } from '../../shared/data/audit/progress.ts';
import { readEvent } from '../../shared/data/events/read.ts';
import { readOrganisation } from '../../shared/data/organisations/organisation.ts';
import type { Finding } from '../../shared/domain/audit/finding.ts';
import { parseId } from '../../shared/domain/ids.ts';
import { typedKeys } from '../../shared/domain/typed-keys.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import { type ArgumentType, as, organisationHelp, organisationId } from '../arguments.ts';
import { type Cli, type Context, example, type Program } from '../cli.ts';
import { organisationMissing, refusal } from '../failure.ts';
import { showProgress } from '../output/progress.ts';

export function addAuditCommands(program: Program, { run }: Cli): void {
  program
    .command('audit')
    .description(
      'Check that stock, counters, orders, tickets, member filters, position trees and hints agree with each other. Changes nothing.',
    )
    .argument('<org_id>', organisationHelp, as(organisationId))
    .option('--event <event_id>', 'Only this event, and neither customers, members nor hints.', as(eventId))
    .addHelpText('after', example('audit org_harbourfc'))
    .action((orgId, { event }) => run((context) => audit({ orgId, only: event }, context)));
}

const eventId: ArgumentType<number> = { allowed: 'the event_id of an event', parse: parseId };

interface AuditRequest {
  readonly orgId: string;
  readonly only: number | undefined;
}

async function audit({ orgId, only }: AuditRequest, context: Context): Promise<void> {
  const { table, clock, streams } = context;
  if ((await readOrganisation(table, orgId)) === undefined) throw organisationMissing(orgId);
  const events = await countEvents({ orgId, only }, context);
  const progress = showProgress(streams.stderr, { stepsPerLine: 100, showsRate: false });
  const counts = { events: 0, orders: 0, scans: 0, customers: 0, members: 0 };
  const findings: Finding[] = [];
  try {
    for (let at = only === undefined ? organisationStart : eventOf(only); at !== undefined; ) {
      const step: OrganisationStep = await auditOrganisationStep(table, orgId, at, {
        nowUnix: unixSeconds(clock),
        confirmation: threeLooks,
      });
      for (const name of typedKeys(counts)) counts[name] += step.counts[name];
      findings.push(...step.findings);
      const text = `${counts.events} of ${events} events, ${counts.orders} orders`;
      progress.update(text, { count: counts.events, share: Math.min(1, counts.events / Math.max(1, events)) });
      const placed = (position: OrganisationPosition) => ({ part: 'organisation', orgId, at: position }) as const;
      requireProgress(placed(at), step.next && placed(step.next));
      const isComplete = only !== undefined && step.next?.part !== 'event';
      at = isComplete ? undefined : step.next;
    }
    if (only === undefined)
      findings.push(...(await confirmed(() => auditHints(table, unixSeconds(clock), orgId), threeLooks)));
  } finally {
    progress.end();
  }
  const checked = `${counts.events} events, ${counts.orders} orders, ${counts.scans} scans, ${counts.customers} customers, ${counts.members} members`;
  context.show(
    { org_id: orgId, ...counts, findings },
    [...findings.map(({ check, row, problem }) => `${check}: ${row}\n  ${problem}`), `Checked ${checked}.`].join('\n'),
  );
  if (findings.length > 0) {
    const advice = 'Nothing was changed. See "Audit findings" in docs/runbook.md.';
    throw refusal('audit_findings', `${findings.length} rows contradict others. ${advice}`);
  }
}

const eventOf = (eventId: number): OrganisationPosition | undefined => ({ part: 'event', eventId, at: eventStart });

async function countEvents({ orgId, only }: AuditRequest, { table }: Context): Promise<number> {
  if (only !== undefined) {
    if ((await readEvent(table, orgId, only)) === undefined)
      throw refusal('event_missing', `${orgId} has no event ${only}.`);
    return 1;
  }
  let events = 0;
  for await (const _ of everyEvent(table, orgId)) events += 1;
  return events;
}
