import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type CustomerSort, firstPlaceChangedAfter, idOfPlace } from '../domain/customer-order.ts';
import type { CustomerRecord } from '../domain/customer-record.ts';
import { wordPartition } from './customers-items.ts';
import { parseCustomer } from './customers-row.ts';
import { customersPartition, customerViewPartition } from './keys.ts';
import type { Table } from './table.ts';

/** A stretch of customers that lie side by side in the table or its index: one Query reads it in the order of its keys. */
export interface CustomerRange {
  readonly index?: 'by1';
  readonly partition: string;
  readonly from?: string;
  readonly prefix?: string;
}

/** Every customer in an order. Only the order by last change can begin at a time. */
export function sortedRange(orgId: string, sort: CustomerSort, updatedSince: number | undefined): CustomerRange {
  if (sort === 'updated') return changedRange(orgId, updatedSince);
  return { partition: sort === 'added' ? customersPartition(orgId) : customerViewPartition(orgId, sort) };
}

/** The customers changed after a time. */
export function changedRange(orgId: string, since: number | undefined): CustomerRange {
  const from = since === undefined ? {} : { from: firstPlaceChangedAfter(since) };
  return { index: 'by1', partition: customersPartition(orgId), ...from };
}

/** The customers with a word that begins like this: one that has two such words comes twice. */
export function wordRange(orgId: string, beginning: string): CustomerRange {
  return { partition: wordPartition(orgId, beginning), prefix: beginning };
}

/** The customers with this org_customer_id, in whatever case and accents. */
export function idRange(orgId: string, id: string): CustomerRange {
  return { partition: customerViewPartition(orgId, 'id'), prefix: `${id}\u0000` };
}

interface Direction {
  readonly after?: string | undefined;
  readonly descending?: boolean;
}

/** Reads a range piece by piece, in one direction. */
export class RangeReader {
  readonly #table: Table;
  readonly #range: CustomerRange;
  readonly #descending: boolean;
  /** The last row read, or where reading began. */
  place: string | undefined;
  /** Whether the range has nothing beyond what was read. */
  ended = false;

  constructor(table: Table, range: CustomerRange, { after, descending = false }: Direction = {}) {
    this.#table = table;
    this.#range = range;
    this.#descending = descending;
    this.place = after;
  }

  /** At most this many of the next rows; fewer also where the table ends an answer by its size. */
  async read(limit: number): Promise<CustomerRecord[]> {
    if (this.ended) return [];
    const { index } = this.#range;
    const { Items = [], LastEvaluatedKey } = await this.#table.client.send(
      new QueryCommand({
        TableName: this.#table.name,
        ...(index !== undefined && { IndexName: index }),
        ...conditionOf(this.#range),
        ScanIndexForward: !this.#descending,
        Limit: limit,
        ...(this.place !== undefined && { ExclusiveStartKey: keyAt(this.#range, this.place) }),
      }),
    );
    const last = Items.at(-1);
    if (last !== undefined) this.place = String(index === undefined ? last.sk : last.by1sk);
    this.ended = LastEvaluatedKey === undefined;
    return Items.map(parseCustomer);
  }
}

function conditionOf({ index, partition, from, prefix }: CustomerRange) {
  const [pk, sk] = index === undefined ? ['pk', 'sk'] : ['by1pk', 'by1sk'];
  if (from !== undefined) {
    return {
      KeyConditionExpression: `${pk} = :pk AND ${sk} >= :from`,
      ExpressionAttributeValues: { ':pk': partition, ':from': from },
    };
  }
  if (prefix !== undefined) {
    return {
      KeyConditionExpression: `${pk} = :pk AND begins_with(${sk}, :prefix)`,
      ExpressionAttributeValues: { ':pk': partition, ':prefix': prefix },
    };
  }
  return { KeyConditionExpression: `${pk} = :pk`, ExpressionAttributeValues: { ':pk': partition } };
}

/** The key of whatever stands or stood at a place: the row may have moved on since, the place has not. */
function keyAt({ index, partition }: CustomerRange, place: string): Record<string, string> {
  if (index === undefined) return { pk: partition, sk: place };
  return { by1pk: partition, by1sk: place, pk: partition, sk: idOfPlace(place) };
}
