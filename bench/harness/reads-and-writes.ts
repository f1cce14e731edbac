import type { ServiceInputTypes, ServiceOutputTypes } from '@aws-sdk/lib-dynamodb';
import { itemBytes } from '../../local/cloud/dynamodb/model/item-size.ts';

type Item = Readonly<Record<string, unknown>>;

/** The items that one call of the table read. */
export interface ReadItems {
  readonly bytes: number;
  /** The bytes of strongly consistent reads, which cost twice as much. */
  readonly consistentBytes: number;
  /** The bytes of the counters among the items. */
  readonly counterBytes: number;
  /** DynamoDB charges for a Query that finds nothing; DynamoDB Local does not. */
  readonly emptyQueryUnits: number;
  /** The read units of each partition. A Query reads one; a batch may read several. */
  readonly unitsByPartition: Readonly<Record<string, number>>;
}

export const nothingRead: ReadItems = {
  bytes: 0,
  consistentBytes: 0,
  counterBytes: 0,
  emptyQueryUnits: 0,
  unitsByPartition: {},
};

export function readItems(command: string, input: ServiceInputTypes, output: ServiceOutputTypes): ReadItems {
  const [items, isConsistent] = [itemsOf(output), isConsistentRead(input)];
  const bytes = bytesOf(items);
  const isEmptyQuery = command.startsWith('Query') && 'ScannedCount' in output && output.ScannedCount === 0;
  return {
    bytes,
    consistentBytes: isConsistent ? bytes : 0,
    counterBytes: bytesOf(items.filter(({ pk }) => String(pk).startsWith('CNT#'))),
    emptyQueryUnits: isEmptyQuery ? unitsPer4Kb(isConsistent) : 0,
    unitsByPartition: unitsByPartition(items, isConsistent, command.startsWith('Query')),
  };
}

function bytesOf(items: readonly Item[]): number {
  return items.reduce((sum, item) => sum + itemBytes(item), 0);
}

const unitsPer4Kb = (isConsistent: boolean): number => (isConsistent ? 1 : 0.5);

/** DynamoDB rounds the sum of a Query's rows, but rounds each item of a GetItem or BatchGetItem separately. */
function unitsByPartition(items: readonly Item[], isConsistent: boolean, isQuery: boolean): Record<string, number> {
  const unitsOf = (bytes: number): number => Math.ceil(bytes / 4_096) * unitsPer4Kb(isConsistent);
  const units: Record<string, number> = {};
  if (isQuery) {
    const [first] = items;
    if (first !== undefined) units[String(first.pk)] = unitsOf(bytesOf(items));
    return units;
  }
  for (const item of items) units[String(item.pk)] = (units[String(item.pk)] ?? 0) + unitsOf(itemBytes(item));
  return units;
}

function itemsOf(output: ServiceOutputTypes): readonly Item[] {
  if ('Item' in output) return output.Item === undefined ? [] : [output.Item];
  if ('Items' in output) return output.Items ?? [];
  // BatchGetItem has the items under the name of their table.
  return 'Responses' in output && !Array.isArray(output.Responses) ? Object.values(output.Responses ?? {}).flat() : [];
}

function isConsistentRead(input: ServiceInputTypes): boolean {
  if ('ConsistentRead' in input) return input.ConsistentRead === true;
  const requests: readonly object[] = 'RequestItems' in input ? Object.values(input.RequestItems ?? {}) : [];
  return requests.some((request) => 'ConsistentRead' in request && request.ConsistentRead === true);
}

/** One written item. */
export interface Write {
  readonly kind: string;
  readonly put: Item | undefined;
  readonly key: Item;
  readonly isTransacted: boolean;
}

interface WriteInput {
  readonly Item?: Item;
  readonly Key?: Item;
}

export function writesIn(command: string, input: object): Write[] {
  if ('TransactItems' in input && Array.isArray(input.TransactItems)) {
    return input.TransactItems.flatMap((each: Readonly<Record<string, WriteInput>>) =>
      Object.entries(each).map(([, part]) => writeOf(part, true)),
    );
  }
  return /^(Put|Update|Delete)Item/.test(command) ? [writeOf(input, false)] : [];
}

function writeOf({ Item, Key }: WriteInput, isTransacted: boolean): Write {
  const { pk, sk } = Item ?? Key ?? {};
  return { kind: String(pk).split('#')[0] ?? '', put: Item, key: { pk, sk }, isTransacted };
}
