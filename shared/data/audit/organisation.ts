import type { Finding } from '../../domain/audit/finding.ts';
import { noEventId } from '../../domain/orders/order.ts';
import { eventKey, eventsPartition } from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { type AuditedCodes, auditCodes } from './codes.ts';
import { type Confirmation, confirmed } from './confirm.ts';
import { type AuditedCustomers, auditCustomers } from './customers.ts';
import { auditEventStep, type EventStep, partAfter } from './event.ts';
import {
  chargesStart,
  codesStart,
  type EventPosition,
  eventStart,
  type OrganisationPosition,
  receiptsStart,
} from './position.ts';
import { type AuditedPositions, auditPositions, listAfter, positionsStart } from './positions.ts';
import { type AuditedReceipts, auditReceipts, type ReceiptsPosition } from './receipts.ts';
import { type AuditedCharges, auditSandboxCharges } from './sandbox-charges.ts';
import type { StepRun } from './step-run.ts';
import { addTypes, auditTypeStock, beginTypes, type CountedTypes, uncountedTypes } from './type-stock.ts';
import { unlessUnreadable } from './unreadable.ts';

/** How much a step has read. */
export interface AuditCounts {
  readonly events: number;
  readonly orders: number;
  readonly scans: number;
  readonly customers: number;
  readonly members: number;
}

export interface OrganisationStep {
  readonly counts: AuditCounts;
  readonly findings: readonly Finding[];
  /** Undefined when the organisation is complete. */
  readonly next: OrganisationPosition | undefined;
}

const noCounts: AuditCounts = { events: 0, orders: 0, scans: 0, customers: 0, members: 0 };

/** Sorts before the id of every customer. */
const beforeFirst = '0';

/** What follows a part of an event. Orders without an event have no further parts: no counters, scans and stock. */
function nextOf(eventId: number, at: EventPosition | undefined, types: CountedTypes | undefined): OrganisationPosition {
  const isComplete = at === undefined || (eventId === noEventId && at.part !== 'tickets');
  return isComplete ? { part: 'events', after: eventId, types } : { part: 'event', eventId, at, types };
}

interface BegunTypes {
  readonly types: CountedTypes;
  readonly unread: readonly Finding[];
}

/** The audit of an organisation begins with the orders of memberships only. One that is under way and counts no types goes on without. */
async function typesOf(
  table: Table,
  orgId: string,
  { eventId, at, types = uncountedTypes }: Extract<OrganisationPosition, { part: 'event' }>,
): Promise<BegunTypes> {
  const isStart = eventId === noEventId && at.part === 'tickets' && at.after === beforeFirst;
  if (!isStart) return { types, unread: [] };
  return unlessUnreadable<BegunTypes>(
    `the capacity of membership types of ${orgId}`,
    async () => ({ types: await beginTypes(table, orgId), unread: [] }),
    (finding) => ({ types: uncountedTypes, unread: [finding] }),
  );
}

/** Audits the next part of an organisation: of its events one after the other, then of its customers, its codes, its charges at the sandbox, its documents and the position trees. */
export async function auditOrganisationStep(
  table: Table,
  orgId: string,
  position: OrganisationPosition,
  run: StepRun,
): Promise<OrganisationStep> {
  const { confirmation } = run;
  switch (position.part) {
    case 'events': {
      const eventId = await nextEvent(table, orgId, position.after);
      const { types = uncountedTypes } = position;
      if (eventId !== undefined) {
        return { counts: noCounts, findings: [], next: { part: 'event', eventId, at: eventStart, types } };
      }
      const findings = await unlessUnreadable(
        `the capacity of membership types of ${orgId}`,
        () => auditTypeStock(table, orgId, types),
        (finding) => [finding],
      );
      return { counts: noCounts, findings, next: { part: 'customers', after: beforeFirst } };
    }
    case 'event': {
      const { eventId } = position;
      const { types, unread } = await typesOf(table, orgId, position);
      const { findings, orders, scans, taken, next: at } = await eventStep(table, { orgId, eventId }, position.at, run);
      return {
        counts: { ...noCounts, orders, scans, events: at === undefined && eventId !== noEventId ? 1 : 0 },
        findings: [...unread, ...findings],
        next: nextOf(eventId, at, taken === 'unknown' ? uncountedTypes : addTypes(types, taken)),
      };
    }
    case 'customers': {
      const page = await unlessUnreadable<PageStep<AuditedCustomers>>(
        `the customers of ${orgId}`,
        () => pageStep(() => auditCustomers(table, orgId, position.after), confirmation),
        (finding) => ({ customers: 0, findings: [finding], next: undefined }),
      );
      return {
        counts: { ...noCounts, customers: page.customers },
        findings: page.findings,
        next: page.next === undefined ? codesStart : { part: 'customers', after: page.next },
      };
    }
    case 'codes': {
      const { findings, next = chargesStart } = await unlessUnreadable<PageStep<AuditedCodes>>(
        `the codes of ${orgId}`,
        () => pageStep(() => auditCodes(table, orgId, position), confirmation),
        (finding) => ({ findings: [finding], next: undefined }),
      );
      return { counts: noCounts, findings, next };
    }
    case 'charges': {
      const { findings, next } = await unlessUnreadable<PageStep<AuditedCharges>>(
        `the charges of ${orgId} at the sandbox`,
        () => pageStep(() => auditSandboxCharges(table, orgId, position.after), confirmation),
        (finding) => ({ findings: [finding], next: undefined }),
      );
      return {
        counts: noCounts,
        findings,
        next: next === undefined ? receiptsStart : { part: 'charges', after: next },
      };
    }
    case 'receipts':
      return receiptsStep(table, orgId, position, confirmation);
    case 'positions': {
      const { findings, rows, next } = await unlessUnreadable<PageStep<AuditedPositions>>(
        `the ${position.resource} of ${orgId} in the order ${position.list}`,
        () => pageStep(() => auditPositions(table, orgId, position), confirmation),
        (finding) => ({ rows: 0, findings: [finding], next: listAfter(position) }),
      );
      // Each member is in several lists.
      const isMembers = position.resource === 'members' && position.list === 'all';
      return { counts: { ...noCounts, members: isMembers ? rows : 0 }, findings, next };
    }
  }
}

async function receiptsStep(
  table: Table,
  orgId: string,
  position: ReceiptsPosition,
  confirmation: Confirmation,
): Promise<OrganisationStep> {
  const { findings, next } = await unlessUnreadable<PageStep<AuditedReceipts>>(
    `the receipts of ${orgId}`,
    () => pageStep(() => auditReceipts(table, orgId, position), confirmation),
    (finding) => ({ findings: [finding], next: undefined }),
  );
  return { counts: noCounts, findings, next: next === undefined ? positionsStart : { part: 'receipts', ...next } };
}

/** A step of an event. If a row of it cannot be read, the rest of the part is not checked. */
function eventStep(
  table: Table,
  event: { readonly orgId: string; readonly eventId: number },
  position: EventPosition,
  run: StepRun,
): Promise<Omit<EventStep, 'taken'> & { readonly taken: EventStep['taken'] | 'unknown' }> {
  return unlessUnreadable<Omit<EventStep, 'taken'> & { readonly taken: EventStep['taken'] | 'unknown' }>(
    `the ${position.part} of event ${event.eventId} of ${event.orgId}`,
    () => auditEventStep(table, event, position, run),
    (finding) => ({ orders: 0, scans: 0, findings: [finding], taken: 'unknown', next: partAfter(position) }),
  );
}

type PageStep<Page> = Page & { readonly findings: readonly Finding[] };

/** Looks again at a page that has findings. */
async function pageStep<Page extends { readonly findings: readonly Finding[] | undefined }>(
  read: () => Promise<Page>,
  confirmation: Confirmation,
): Promise<PageStep<Page>> {
  let page = await read();
  if (page.findings?.length === 0) return { ...page, findings: [] };
  const look = async () => {
    page = await read();
    return page.findings;
  };
  const findings = await confirmed(look, confirmation);
  return { ...page, findings };
}

/** Returns the event of an organisation with the lowest id after this one; undefined if there is none. */
export async function nextEvent(table: Table, orgId: string, after: number): Promise<number | undefined> {
  const pages = queryPages(table, {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :after AND :last',
    ExpressionAttributeValues: {
      ':pk': eventsPartition(orgId),
      ':after': eventKey(orgId, after + 1).sk,
      ':last': eventKey(orgId, Number.MAX_SAFE_INTEGER).sk,
    },
    ConsistentRead: true,
    Limit: 1,
  });
  for await (const [first] of pages) return first === undefined ? undefined : Number(String(first.sk).slice(2));
  return undefined;
}
