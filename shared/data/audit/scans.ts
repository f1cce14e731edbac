import { addTo, type Finding } from '../../domain/audit/finding.ts';
import { scanBuckets, scanSlots } from '../../domain/scans/counts.ts';
import { bucketSeconds, bucketStart, recordedSecondText } from '../../domain/time/time-buckets.ts';
import { ScanBuckets } from '../counters/scan-buckets.ts';
import { scanShards } from '../counters/scan-layout.ts';
import { scanCounters } from '../counters/scans.ts';
import type { CountedEvent } from '../counters/shards.ts';
import { parseScan } from '../scans/row.ts';
import { scansPartition } from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { addUp, type BucketTotals, bucketIn, bucketName, compareTotals, isUnchanged } from './counters.ts';
import { firstSecond } from './orders.ts';

interface AuditedScans {
  readonly scans: number;
  /** Undefined if a scan was recorded during the audit. */
  readonly findings: readonly Finding[] | undefined;
}

/** Compares the scans of one day with the counters of the day. */
export async function auditScans(table: Table, event: CountedEvent, day: number): Promise<AuditedScans> {
  const range = { sizes: scanBuckets, from: day, to: day + bucketSeconds.day };
  const readCounters = () => {
    const buckets = new ScanBuckets(event);
    return addUp(range, ({ size, from, to }) =>
      size === 'day'
        ? scanShards.read(table, event, { size, from, to }, { consistent: true })
        : buckets.read(table, { size, from, to }),
    );
  };
  const before = await readCounters();
  const inRows: BucketTotals = new Map();
  let scans = 0;
  const pages = queryPages(table, {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: {
      ':pk': scansPartition(event.orgId, event.eventId),
      ':from': recordedSecondText(range.from),
      ':to': recordedSecondText(range.to),
    },
    ConsistentRead: true,
  });
  for await (const rows of pages) {
    scans += rows.length;
    for (const { scannedUnix } of rows.map(parseScan)) {
      const counters = scanCounters(event.orgId, { eventId: event.eventId, scannedUnix, attendedPrice: undefined }, 0);
      for (const [index, { bucket, start }] of scanSlots(scannedUnix).entries()) {
        addTo(bucketIn(inRows, bucketName(bucket, start)), counters[index]?.counts ?? {});
      }
    }
  }
  const after = await readCounters();
  if (!isUnchanged(before, after)) return { scans, findings: undefined };
  const counters = { shards: scanShards, event, sizes: scanBuckets };
  return { scans, findings: compareTotals('scan-counters', counters, { counted: after, inRows, kept: /^s\d+$/ }) };
}

/** The first day from `from` on that has a scan or a counter of scans; undefined if there is none. */
export async function nextScanDay(table: Table, event: CountedEvent, from: number): Promise<number | undefined> {
  const partitions = [
    scansPartition(event.orgId, event.eventId),
    scanShards.keyOf(event, { size: 'day', start: from }, 0).pk,
  ];
  const seconds = await Promise.all(partitions.map((pk) => firstSecond(table, pk, from)));
  const found = seconds.filter((second) => second !== undefined);
  return found.length === 0 ? undefined : bucketStart('day', Math.min(...found));
}
