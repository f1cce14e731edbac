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

export function readItems(command: string, input: object, output: object): ReadItems {
  const { items, isConsistent } = itemsOf(Object(output), Object(input));
  const bytes = bytesOf(items);
  const isEmptyQuery = command.startsWith('Query') && Object(output).ScannedCount === 0;
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

interface Output {
  readonly Item?: Item;
  readonly Items?: readonly Item[];
  readonly Responses?: Readonly<Record<string, readonly Item[]>>;
}

interface Input {
  readonly ConsistentRead?: boolean;
  readonly RequestItems?: Readonly<Record<string, { readonly ConsistentRead?: boolean }>>;
}

function itemsOf({ Item, Items, Responses }: Output, { ConsistentRead, RequestItems }: Input) {
  const many = Object.values(RequestItems ?? {}).some((request) => request.ConsistentRead);
  const items = [...(Item === undefined ? [] : [Item]), ...(Items ?? []), ...Object.values(Responses ?? {}).flat()];
  return { items, isConsistent: ConsistentRead === true || many };
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
