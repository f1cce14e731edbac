import { itemBytes } from './item-size.ts';

type Item = Readonly<Record<string, unknown>>;

/** What a call of the table read. */
export interface ReadItems {
  readonly bytes: number;
  /** Of what was read so that it is certainly the latest, which costs twice. */
  readonly latestBytes: number;
  /** Of the counters among it. */
  readonly counterBytes: number;
  /** DynamoDB charges for a Query that finds nothing; DynamoDB Local does not. */
  readonly emptyQueryUnits: number;
  /** The read units of each partition, as far as the call tells them apart. */
  readonly unitsByPartition: Readonly<Record<string, number>>;
}

export const nothingRead: ReadItems = {
  bytes: 0,
  latestBytes: 0,
  counterBytes: 0,
  emptyQueryUnits: 0,
  unitsByPartition: {},
};

export function readItems(command: string, input: object, output: object): ReadItems {
  const { items, latest } = itemsOf(Object(output), Object(input));
  const bytes = bytesOf(items);
  const isEmptyQuery = command.startsWith('Query') && Object(output).ScannedCount === 0;
  return {
    bytes,
    latestBytes: latest ? bytes : 0,
    counterBytes: bytesOf(items.filter(({ pk }) => String(pk).startsWith('CNT#'))),
    emptyQueryUnits: isEmptyQuery ? leastQueryUnits(latest) : 0,
    unitsByPartition: unitsByPartition(items, latest, command.startsWith('Query')),
  };
}

function bytesOf(items: readonly Item[]): number {
  return items.reduce((sum, item) => sum + itemBytes(item), 0);
}

const leastQueryUnits = (latest: boolean): number => (latest ? 1 : 0.5);

/** A Query adds its rows up before it rounds; whoever names items pays for each by itself. */
function unitsByPartition(items: readonly Item[], latest: boolean, isQuery: boolean): Record<string, number> {
  const perPiece = leastQueryUnits(latest);
  const pieces = (bytes: number): number => Math.ceil(bytes / 4_096) * perPiece;
  const units: Record<string, number> = {};
  if (isQuery) {
    const [first] = items;
    if (first !== undefined) units[String(first.pk)] = pieces(bytesOf(items));
    return units;
  }
  for (const item of items) units[String(item.pk)] = (units[String(item.pk)] ?? 0) + pieces(itemBytes(item));
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
  return { items, latest: ConsistentRead === true || many };
}

/** One item that a call writes. */
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
