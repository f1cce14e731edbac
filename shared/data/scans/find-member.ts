import * as v from 'valibot';
import { idText } from '../../domain/ids.ts';
import { overdueSinceIfPaid } from '../../domain/plans/plan.ts';
import { isOverdue, memberSubject } from '../../domain/scans/member-subject.ts';
import { normalizeBarcode } from '../../domain/scans/scan.ts';
import { readMember } from '../members/read.ts';
import type { MemberRecord } from '../members/row.ts';
import { parsePassages, versionOf } from '../orders/barcode-row.ts';
import { readPlan } from '../plans/plans.ts';
import { batchGet } from '../table/batch-get.ts';
import { getItem } from '../table/get-item.ts';
import { type ItemKey, memberPassagesKey, membershipConfigKey } from '../table/keys.ts';
import { nullable } from '../table/row.ts';
import type { Table } from '../table/table.ts';
import { readEntries } from './entries.ts';
import type { FoundSubject, ScannedBarcode } from './find-ticket.ts';

const OfMember = v.object({ kind: v.literal('member'), memberId: v.number() });

/**
 * Returns the member of a barcode, with the access that the membership includes and the member's passages at this event;
 * undefined if the barcode does not, or no longer, belong to a member.
 */
export async function findMember(
  table: Table,
  { orgId, scan, item }: ScannedBarcode,
): Promise<(FoundSubject & { readonly member: MemberRecord }) | undefined> {
  const found = v.safeParse(OfMember, item);
  if (!found.success) return undefined;
  const { memberId } = found.output;
  const logKey = memberPassagesKey(orgId, memberId, scan.eventId);
  const [member, log] = await Promise.all([
    readMember(table, orgId, memberId),
    getItem(table, logKey, { consistent: true }),
  ]);
  // The card may have been replaced since the item was read.
  const { barcode = null } = member ?? {};
  if (member === undefined || barcode === null) return undefined;
  if (normalizeBarcode(barcode) !== normalizeBarcode(scan.barcode)) return undefined;
  const [type, category] = [
    configKeyOf(orgId, 'type', member.typeId),
    configKeyOf(orgId, 'category', member.categoryId),
  ];
  const items = await batchGet(table, [...type, ...category], { consistent: true });
  const itemAt = (keys: readonly ItemKey[]) =>
    items.find(({ pk, sk }) => keys.some((key) => key.pk === pk && key.sk === sk));
  const access = {
    byType: givesAccess(itemAt(type)),
    byCategory: givesAccess(itemAt(category)),
    graceDays: graceDaysOf(itemAt(type)),
  };
  const overdueSinceUnix = await overdueSinceOf(table, orgId, member, (sinceUnix) =>
    isOverdue(sinceUnix, access.graceDays, scan.scannedUnix),
  );
  const subject = memberSubject({ ...member, overdueSinceUnix }, access, parsePassages(log ?? {}), scan);
  const isNewEntry = subject.refusal === undefined && subject.log.firstSortKey === null && scan.direction === 'in';
  const { eventId, scannedUnix: atUnix } = scan;
  const counted = countedEntries(member, v.parse(Entries, itemAt(type) ?? {}), atUnix);
  const entries =
    isNewEntry && counted !== null
      ? await readEntries(table, { orgId, memberId, eventId, atUnix, maxEntries: counted })
      : undefined;
  return {
    member,
    subject: entries?.isLeft === false ? { ...subject, refusal: 'no_entries_left' } : subject,
    entries: entries?.item,
    lastEntryOf: entries?.isLast === true ? member : undefined,
    withdrawable: isWithdrawable(member, atUnix) ? member : undefined,
    log: { key: logKey, version: log === undefined ? 0 : versionOf(log) },
  };
}

/** How many entries are counted; null if none are. Those of a member who can withdraw are: a withdrawal at the same moment must not miss one. */
function countedEntries(
  member: MemberRecord,
  { maxEntries }: v.InferOutput<typeof Entries>,
  atUnix: number,
): number | null {
  return maxEntries === null && isWithdrawable(member, atUnix) ? Infinity : maxEntries;
}

const isWithdrawable = ({ withdrawableUntilUnix = 0 }: MemberRecord, atUnix: number): boolean =>
  atUnix < withdrawableUntilUnix;

/** Nobody is refused on a guess: for a member who would be, the plan says whether an instalment is being charged. */
async function overdueSinceOf(
  table: Table,
  orgId: string,
  { overdueSinceUnix, planId }: MemberRecord,
  isRefused: (sinceUnix: number | null) => boolean,
): Promise<number | null> {
  if (planId === null || !isRefused(overdueSinceUnix)) return overdueSinceUnix;
  const plan = await readPlan(table, orgId, planId);
  return plan === undefined ? overdueSinceUnix : overdueSinceIfPaid(plan);
}

function configKeyOf(orgId: string, kind: 'type' | 'category', id: number | null): readonly ItemKey[] {
  return id === null ? [] : [membershipConfigKey(orgId, kind, idText(id))];
}

const Entries = v.object({ maxEntries: nullable(v.number()) });
const Grace = v.object({ graceDays: v.number() });
const defaultGraceDays = 14;

function graceDaysOf(item: unknown): number {
  const found = v.safeParse(Grace, item);
  return found.success ? found.output.graceDays : defaultGraceDays;
}

const Access = v.object({ gameDayAccess: v.literal(1) });

function givesAccess(item: unknown): boolean {
  return v.is(Access, item);
}
