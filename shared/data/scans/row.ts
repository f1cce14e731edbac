import * as v from 'valibot';
import { given } from '../../domain/given.ts';
import { type ScanRecord, scanResults } from '../../domain/scans/scan.ts';
import { type ItemKey, scanKey } from '../table/keys.ts';
import { storedEnum } from '../table/row.ts';

/** Empty values are not stored, and attribute names are short, because an event has a hundred thousand scans. */
const text = v.optional(v.string());
const number = v.optional(v.number());
const StoredScan = v.object({
  sk: v.string(),
  event: v.number(),
  at: v.number(),
  way: storedEnum(['in', 'out'], 'in'),
  result: storedEnum(scanResults, 'invalid'),
  code: v.string(),
  gateId: number,
  gate: text,
  name: text,
  order: number,
  ticket: number,
  member: number,
  user: number,
  cat: number,
  club: number,
  group: text,
  title: text,
  email: text,
  section: text,
  row: text,
  seat: text,
});

export function parseScan(item: unknown): ScanRecord {
  const stored = v.parse(StoredScan, item);
  return {
    sortKey: stored.sk,
    eventId: stored.event,
    scannedUnix: stored.at,
    direction: stored.way,
    result: stored.result,
    barcode: stored.code,
    gateId: stored.gateId ?? null,
    gate: stored.gate ?? null,
    ticketName: stored.name ?? null,
    orderId: stored.order ?? null,
    ticketId: stored.ticket ?? null,
    memberId: stored.member ?? null,
    userId: stored.user ?? null,
    categoryId: stored.cat ?? null,
    membershipCategoryId: stored.club ?? null,
    categoryTitle: stored.group ?? null,
    priceTitle: stored.title ?? null,
    emailAddress: stored.email ?? null,
    sectionLabel: stored.section ?? null,
    seatRow: stored.row ?? null,
    seatTitle: stored.seat ?? null,
  };
}

export function scanItem(orgId: string, scan: ScanRecord): ItemKey & Readonly<Record<string, unknown>> {
  const { pk, sk } = scanKey(orgId, scan.eventId, scan.sortKey);
  const stored: v.InferInput<typeof StoredScan> = {
    sk,
    event: scan.eventId,
    at: scan.scannedUnix,
    way: scan.direction,
    result: scan.result,
    code: scan.barcode,
    gateId: scan.gateId ?? undefined,
    gate: scan.gate ?? undefined,
    name: scan.ticketName ?? undefined,
    order: scan.orderId ?? undefined,
    ticket: scan.ticketId ?? undefined,
    member: scan.memberId ?? undefined,
    user: scan.userId ?? undefined,
    cat: scan.categoryId ?? undefined,
    club: scan.membershipCategoryId ?? undefined,
    group: scan.categoryTitle ?? undefined,
    title: scan.priceTitle ?? undefined,
    email: scan.emailAddress ?? undefined,
    section: scan.sectionLabel ?? undefined,
    row: scan.seatRow ?? undefined,
    seat: scan.seatTitle ?? undefined,
  };
  return { pk, sk, ...given(stored) };
}
