import { setTimeout as sleep } from 'node:timers/promises';
import { everyCustomer, everyEvent } from '../../shared/data/admin/read-all.ts';
import { confirmed } from '../../shared/data/audit/confirm.ts';
import { auditStep, type EventPosition, eventStart } from '../../shared/data/audit/event.ts';
import { auditHints } from '../../shared/data/audit/hints.ts';
import { auditMembers, beforeFirstMember } from '../../shared/data/audit/members.ts';
import { auditPositions, everyMemberPositions } from '../../shared/data/audit/positions.ts';
import { customerPositions } from '../../shared/data/customers/positions.ts';
import { eventPositions } from '../../shared/data/events/positions.ts';
import { readEvent } from '../../shared/data/events/read.ts';
import { readOrganisation } from '../../shared/data/organisations/organisation.ts';
import type { Finding } from '../../shared/domain/audit/finding.ts';
import { parseId } from '../../shared/domain/ids.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import { type ArgumentType, as, organisationHelp, organisationId } from '../arguments.ts';
import { type Cli, type Context, example, type Program } from '../cli.ts';
import { organisationMissing, refusal } from '../failure.ts';
import { type AuditCounts, showAuditProgress } from '../output/audit-progress.ts';

export function addAuditCommands(program: Program, { run }: Cli): void {
  program
    .command('audit')
    .description(
      'Check that stock, counters, orders, tickets, member filters, position trees and hints agree with each other. Changes nothing.',
    )
    .argument('<org_id>', organisationHelp, as(organisationId))
    .option('--event <event_id>', 'Only this event, and neither members nor hints.', as(eventId))
    .addHelpText('after', example('audit org_harbourfc'))
    .action((orgId, { event }) => run((context) => audit({ orgId, only: event }, context)));
}

const eventId: ArgumentType<number> = { allowed: 'the event_id of an event', parse: parseId };

interface AuditRequest {
  readonly orgId: string;
  readonly only: number | undefined;
}

/** Three looks, a second apart: concurrent writes make a single look find differences that do not exist. */
const confirmation = { looks: 3, wait: () => sleep(1_000) };

async function audit({ orgId, only }: AuditRequest, context: Context): Promise<void> {
  const { table, clock, streams } = context;
  if ((await readOrganisation(table, orgId)) === undefined) throw organisationMissing(orgId);
  const eventIds = await eventsOf({ orgId, only }, context);
  const progress = showAuditProgress(streams.stderr, eventIds.length);
  const counts: AuditCounts = { events: 0, orders: 0, scans: 0, members: 0 };
  const findings: Finding[] = [];
  try {
    for (const id of eventIds) {
      for (let position: EventPosition | undefined = eventStart; position !== undefined; ) {
        const step = await auditStep(table, { orgId, eventId: id }, position, confirmation);
        counts.orders += step.orders;
        counts.scans += step.scans;
        findings.push(...step.findings);
        progress.update(counts);
        position = step.next;
      }
      counts.events += 1;
      progress.update(counts);
    }
    if (only === undefined) {
      for (let after: string | undefined = beforeFirstMember; after !== undefined; ) {
        const from: string = after;
        let page = await auditMembers(table, orgId, from);
        const look = async () => {
          page = await auditMembers(table, orgId, from);
          return page.findings;
        };
        if (page.findings.length > 0) findings.push(...(await confirmed(look, confirmation)));
        counts.members += page.members;
        progress.update(counts);
        after = page.next;
      }
      for (const look of positionLooks(context, orgId)) findings.push(...(await confirmed(look, confirmation)));
      findings.push(...(await confirmed(() => auditHints(table, orgId, unixSeconds(clock)), confirmation)));
    }
  } finally {
    progress.end();
  }
  const checked = `${counts.events} events, ${counts.orders} orders, ${counts.scans} scans, ${counts.members} members`;
  context.show(
    { org_id: orgId, ...counts, findings },
    [...findings.map(({ check, row, problem }) => `${check}: ${row}\n  ${problem}`), `Checked ${checked}.`].join('\n'),
  );
  if (findings.length > 0) {
    const advice = 'Nothing was changed. See "Audit findings" in docs/runbook.md.';
    throw refusal('audit_findings', `${findings.length} rows contradict others. ${advice}`);
  }
}

/** One look at the position trees of each resource that has them. */
function positionLooks({ table }: Context, orgId: string) {
  async function* customers() {
    for await (const page of everyCustomer(table, orgId)) yield page.map(customerPositions);
  }
  async function* events() {
    for await (const event of everyEvent(table, orgId)) yield [eventPositions(event)];
  }
  return [
    () => auditPositions(table, { orgId, resource: 'customers' }, customers()),
    () => auditPositions(table, { orgId, resource: 'events' }, events()),
    () => auditPositions(table, { orgId, resource: 'members' }, everyMemberPositions(table, orgId)),
  ];
}

async function eventsOf({ orgId, only }: AuditRequest, { table }: Context): Promise<number[]> {
  if (only !== undefined) {
    if ((await readEvent(table, orgId, only)) === undefined)
      throw refusal('event_missing', `${orgId} has no event ${only}.`);
    return [only];
  }
  const ids: number[] = [];
  for await (const { eventId: id } of everyEvent(table, orgId)) ids.push(id);
  return ids;
}
