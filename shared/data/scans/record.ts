import { randomInt } from 'node:crypto';
import * as v from 'valibot';
import { acceptScan, evaluateScan, type ScanEvaluation } from '../../domain/scans/evaluate.ts';
import {
  maxScanAgeSeconds,
  type Scan,
  type ScanRecord,
  type ScanResult,
  scanSortKey,
} from '../../domain/scans/scan.ts';
import { Fault } from '../../platform/fault.ts';
import { type CountingShard, countScan, dayCounterKey } from '../counters/count-scan.ts';
import { scanShards } from '../counters/scan-layout.ts';
import { memberWrites, touched } from '../members/change.ts';
import { memberCheck } from '../members/owner-check.ts';
import { passageAttributes } from '../orders/barcode-row.ts';
import { batchGet } from '../table/batch-get.ts';
import { getItem } from '../table/get-item.ts';
import { barcodeKey, type ItemKey, nonceKey, scanKey, scanRefKey } from '../table/keys.ts';
import { retryRaces } from '../table/retry.ts';
import { nullable } from '../table/row.ts';
import type { Table } from '../table/table.ts';
import { noSideEffects, type SideEffects, type TransactItem, transact } from '../table/transact.ts';
import { type FindSubject, type FoundSubject, findTicket } from './find-ticket.ts';
import { parseScan, scanItem } from './row.ts';

/** A gate's report of one scan. */
export interface ScanReport {
  readonly orgId: string;
  readonly scan: Scan;
  /** The gate's own id of the scan: a report that is sent again returns the recorded result. */
  readonly nonce: string | null;
  /** The result of an imported scan: it is recorded without evaluation, and its nonce is its reference, which does not expire. */
  readonly pastResult?: ScanResult;
}

export interface RecordedScan {
  readonly scan: ScanRecord;
  /** For a refused scan, the sort key of the scan that first admitted the same ticket or member. */
  readonly firstSortKey: string | null;
}

export interface ScanOutcome extends RecordedScan {
  readonly outcome: 'recorded' | 'repeated';
}

interface Options {
  readonly find?: FindSubject;
  readonly sideEffects?: SideEffects<RecordedScan>;
  /** What the caller has read already, at the same time as other items. It is read again after a conflict. */
  readonly items?: ScannedItems | undefined;
}

/**
 * Records a scan, admitted or refused. One transaction writes the scan, its counter, the passage, the nonce and the side
 * effects. A passage is written on the condition that no other was recorded since the evaluation, so only one of several
 * concurrent gates admits a ticket. A refused scan does not change the ticket and causes no conflict.
 */
export function recordScan(
  table: Table,
  report: ScanReport,
  { find = findTicket, sideEffects = noSideEffects, items }: Options = {},
): Promise<ScanOutcome> {
  let known = items;
  return retryRaces('ticket', async (): Promise<ScanOutcome | undefined> => {
    const { barcode, nonce, counting } = known ?? (await readScanned(table, keysOf(report)));
    known = undefined;
    if (nonce !== undefined) return repeatedScan(table, report, nonce);
    const found = await find({ orgId: report.orgId, scan: report.scan, item: barcode });
    const { recorded, evaluation } = evaluateReport(report, found);
    const refused = await transact(
      table,
      (attempt) => [
        ...reportItems(table, report, recorded),
        ...passageUpdate(table, report, found, evaluation),
        ...countScan(
          table,
          report.orgId,
          { ...recorded.scan, ...evaluation },
          attempt === 1 ? counting : { shard: scanShards.choose(attempt), day: undefined },
        ),
      ],
      sideEffects(recorded),
    );
    return refused.length > 0 ? undefined : { outcome: 'recorded', ...recorded };
  });
}

/** Returns what `recordScan` would return now. Nothing is written, and no event is sent. */
export async function previewScan(
  table: Table,
  report: ScanReport,
  { find = findTicket, items }: Pick<Options, 'find' | 'items'> = {},
): Promise<RecordedScan> {
  const { barcode, nonce } = items ?? (await readScanned(table, keysOf(report)));
  if (nonce !== undefined) return repeatedScan(table, report, nonce);
  return evaluateReport(report, await find({ orgId: report.orgId, scan: report.scan, item: barcode })).recorded;
}

const Nonce = v.object({ sortKey: v.string(), first: nullable(v.string()) });

type Item = Readonly<Record<string, unknown>>;

/** The items that decide a scan, and the counter that it adds to. */
export interface ScannedItems {
  readonly barcode: Item | undefined;
  /** Exists if the scan was recorded before. */
  readonly nonce: Item | undefined;
  readonly counting: CountingShard;
}

export interface ScanKeys extends Pick<Scan, 'eventId' | 'barcode' | 'scannedUnix'> {
  readonly orgId: string;
  readonly nonce: string | null;
  /** Whether the nonce is the reference of an import. */
  readonly isPast?: boolean;
}

const keysOf = ({ orgId, nonce, scan, pastResult }: ScanReport): ScanKeys => ({
  ...scan,
  orgId,
  nonce,
  isPast: pastResult !== undefined,
});

/** Reads what a scan depends on, with one call. */
export async function readScanned(
  table: Table,
  { orgId, eventId, barcode, nonce, scannedUnix, isPast = false }: ScanKeys,
): Promise<ScannedItems> {
  const shard = scanShards.choose(1);
  const keys = {
    barcode: barcodeKey(orgId, barcode),
    nonce: nonce === null ? undefined : nonceKey(orgId, eventId, nonce),
    ref: nonce === null || !isPast ? undefined : scanRefKey(orgId, eventId, nonce),
    day: dayCounterKey({ orgId, eventId }, scannedUnix, shard),
  };
  const wanted = Object.values(keys).filter((key) => key !== undefined);
  const items = await batchGet(table, wanted, { consistent: true });
  const itemAt = (key: ItemKey | undefined) => items.find(({ pk, sk }) => pk === key?.pk && sk === key?.sk);
  return {
    barcode: itemAt(keys.barcode),
    nonce: itemAt(keys.ref) ?? ownNonce(itemAt(keys.nonce), isPast),
    counting: { shard, day: itemAt(keys.day) },
  };
}

/** Earlier releases kept the references of imports among the nonces of gates, as those that do not expire. */
function ownNonce(item: Item | undefined, isPast: boolean): Item | undefined {
  return item === undefined || isPast === 'ttl' in item ? undefined : item;
}

/** Returns the scan that was recorded with this nonce. */
async function repeatedScan(table: Table, { orgId, scan: { eventId } }: ScanReport, nonce: Item): Promise<ScanOutcome> {
  const { sortKey, first } = v.parse(Nonce, nonce);
  const scan = await readScan(table, orgId, eventId, sortKey);
  if (scan === undefined) throw new Fault('The nonce of a scan is recorded, but the scan is missing.');
  return { outcome: 'repeated', scan, firstSortKey: first };
}

/** Returns the scan of an event with this sort key. */
export async function readScan(
  table: Table,
  orgId: string,
  eventId: number,
  sortKey: string,
): Promise<ScanRecord | undefined> {
  const item = await getItem(table, scanKey(orgId, eventId, sortKey), { consistent: true });
  return item === undefined ? undefined : parseScan(item);
}

function evaluateReport({ scan, pastResult }: ScanReport, { subject }: FoundSubject) {
  const sortKey = scanSortKey(
    scan,
    randomInt(36 ** 4)
      .toString(36)
      .padStart(4, '0'),
  );
  const evaluation =
    pastResult === undefined ? evaluateScan(subject, scan, sortKey) : acceptScan(subject, scan, sortKey, pastResult);
  const { receivedMs: _, ...read } = scan;
  const { result } = evaluation;
  const recorded: RecordedScan = {
    scan: { ...subject.facts, ...read, barcode: subject.barcode ?? read.barcode, result, sortKey },
    firstSortKey: hasFirstScan(result) ? subject.log.firstSortKey : null,
  };
  return { recorded, evaluation };
}

/** A passage is not a refusal, and the first scan of a ticket for another event is not a scan of this event. */
function hasFirstScan(result: ScanResult): boolean {
  return result !== 'ok' && result !== 'out' && result !== 'wrong_event';
}

const onNew = { ConditionExpression: 'attribute_not_exists(pk)' };

function reportItems(table: Table, report: ScanReport, { scan, firstSortKey }: RecordedScan): TransactItem[] {
  const { orgId, nonce, pastResult } = report;
  const isPast = pastResult !== undefined;
  const keyOf = isPast ? scanRefKey : nonceKey;
  const expires = !isPast && { ttl: Math.floor(report.scan.receivedMs / 1000) + maxScanAgeSeconds };
  const nonceItem = nonce === null ? [] : [{ ...keyOf(orgId, scan.eventId, nonce), sortKey: scan.sortKey, ...expires }];
  const first = firstSortKey === null ? {} : { first: firstSortKey };
  // A gate replaces the reference of an import that an earlier release kept there.
  const unused = isPast
    ? onNew
    : {
        ConditionExpression: `${onNew.ConditionExpression} OR attribute_not_exists(#ttl)`,
        ExpressionAttributeNames: { '#ttl': 'ttl' },
      };
  return [
    ...nonceItem.map((item) => ({ Put: { TableName: table.name, Item: { ...item, ...first }, ...unused } })),
    { Put: { TableName: table.name, Item: scanItem(orgId, scan), ...onNew } },
  ];
}

function passageUpdate(
  table: Table,
  { orgId, scan }: ScanReport,
  { subject, log, entries, lastEntryOf: before, withdrawable }: FoundSubject,
  evaluation: ScanEvaluation,
): TransactItem[] {
  if (log === undefined || evaluation.log === subject.log) return [];
  const passage = versionedUpdate(table, log, passageAttributes(evaluation.log));
  const usesEntry = subject.log.firstSortKey === null && evaluation.log.firstSortKey !== null;
  if (entries === undefined || !usesEntry) return [passage];
  const entry = [passage, versionedUpdate(table, entries, {})];
  if (before === undefined) return withdrawable ? [...entry, memberCheck(table, orgId, withdrawable)] : entry;
  const after = touched(before, Math.floor(scan.receivedMs / 1000));
  return [...entry, ...memberWrites(table, orgId, [{ before, after }])];
}

/** Changes an item on the condition that no other scan has changed it since it was read. */
function versionedUpdate(
  table: Table,
  { key, version }: NonNullable<FoundSubject['log']>,
  attributes: Readonly<Record<string, unknown>>,
): TransactItem {
  const changed = Object.entries({ ...attributes, v: version + 1 });
  return {
    Update: {
      TableName: table.name,
      Key: key,
      UpdateExpression: `SET ${changed.map(([name]) => `${name} = :${name}`).join(', ')}`,
      ConditionExpression: version === 0 ? 'attribute_not_exists(v)' : 'v = :known',
      ExpressionAttributeValues: {
        ...Object.fromEntries(changed.map(([name, value]) => [`:${name}`, value])),
        ...(version > 0 && { ':known': version }),
      },
    },
  };
}
