import {
  type Basket,
  type BasketOpening,
  type Checkout,
  maxBasketTickets,
  newBasket,
} from '../../domain/baskets/basket.ts';
import { type BasketRefusal, type ChangedBasket, type Decision, expireBasket } from '../../domain/baskets/changes.ts';
import { limitCounts } from '../../domain/baskets/limit-counts.ts';
import { type StockMove, stockName, stockRef } from '../../domain/baskets/stock-moves.ts';
import type { StockSlice } from '../../domain/prices/slices.ts';
import { basketOwner, rowName, seatChanges } from '../../domain/seats/seat-moves.ts';
import { Fault } from '../../platform/fault.ts';
import { generateOrderId } from '../orders/generate-ids.ts';
import { returnToSlice, slicesWith, takeFromSlices } from '../prices/slices.ts';
import { returnSeats, takeSeats } from '../seats/rows.ts';
import { type DueHint, dueHintItem, putHint } from '../table/due-hints.ts';
import { getItem } from '../table/get-item.ts';
import { basketKey } from '../table/keys.ts';
import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { labelled, noSideEffects, putAlone, type SideEffects, type TransactItem, transact } from '../table/transact.ts';
import { unchangedSince } from '../table/version.ts';
import { limitMoves } from './member-tickets.ts';
import { basketItem, isBasketRow, parseBasket } from './row.ts';
import { type AddressLimit, addressCountMoves, moreCounted, readAddressCount } from './tickets-per-address.ts';

export async function readBasket(table: Table, orgId: string, basketId: number): Promise<Basket | undefined> {
  const item = await getItem(table, basketKey(orgId, basketId), { consistent: true });
  return item === undefined || !isBasketRow(item) ? undefined : parseBasket(item);
}

interface NewBasket extends BasketOpening {
  readonly orgId: string;
  readonly nowUnix: number;
}

/** Opens an empty basket, and writes the hint by which the sweeper finds it when it expires. */
export function openBasket(
  table: Table,
  { orgId, nowUnix, ...opening }: NewBasket,
  sideEffects: SideEffects<Basket> = noSideEffects,
): Promise<Basket> {
  return retryRaces('ids of new baskets', async () => {
    const basket = newBasket(generateOrderId(nowUnix), nowUnix, opening);
    const put = basketPut(table, orgId, undefined, basket);
    const hint = basketHint(orgId, basket, basket.expiresUnix);
    const effects = sideEffects(basket);
    if (effects.length > 0) {
      const refusals = await transact(table, [put, hintPut(table, hint)], effects);
      return refusals.length === 0 ? basket : undefined;
    }
    // No client knows the id before both are written, so no basket without a hint ever holds tickets.
    const [isNew] = await Promise.all([putAlone(table, put.Put), putHint(table, hint)]);
    return isNew ? basket : undefined;
  });
}

/** The hint that makes the sweeper check a basket from a certain second on. */
export function basketHint(orgId: string, { basketId }: Pick<Basket, 'basketId'>, dueUnix: number): DueHint {
  return { kind: 'basket', ref: [orgId, String(basketId)], dueUnix };
}

export interface BasketRule {
  readonly orgId: string;
  readonly basketId: number;
  /**
   * Decides how the current basket changes, by a pure rule of shared/domain/baskets. It may read what the rule needs, and writes nothing.
   * It is called again if the basket was changed concurrently.
   */
  decide(basket: Basket): Decision | Promise<Decision>;
  /**
   * Writes what leads to the basket and must be there before the change, while `decide` reads. It stays behind if the basket does not
   * change after all, so it does no harm then. It is called as often as `decide`.
   */
  writeFirst?(basket: Basket): Promise<void>;
  /** The seconds at which the sweeper checks the basket, in addition to its expiry. */
  recheckTimes?(basket: Basket): readonly number[];
  /** Undefined: without a limit. */
  readonly addressLimit?: AddressLimit | undefined;
  /** The basket as the caller has just read or written it. It is read again only if it has changed since. */
  readonly known?: Basket | undefined;
}

/**
 * Changes a basket by a rule. One transaction writes the basket, the stock that it takes or returns, and the side effects, on
 * the condition that the basket has not changed since it was read; otherwise the rule decides again. So held stock is in
 * exactly one basket, and is returned exactly once. A change of the basket alone is a single write.
 */
export function changeBasket(
  table: Table,
  { orgId, basketId, decide, writeFirst, recheckTimes = () => [], addressLimit, known }: BasketRule,
  sideEffects: SideEffects<Basket> = noSideEffects,
): Promise<ChangedBasket> {
  // The slices of stocks where one slice had too few tickets. The other slices may have them (ADR 42).
  const slices: KnownSlices = new Map();
  let current = known;
  return retryRaces('basket', async (): Promise<ChangedBasket | undefined> => {
    const before = current ?? (await readBasket(table, orgId, basketId));
    current = undefined;
    if (before === undefined) return { outcome: 'missing' };
    const [decision] = await Promise.all([decide(before), writeFirst?.(before)]);
    if (decision.outcome !== 'changed') return decision;
    const basket = { ...decision.basket, version: before.version + 1 };
    const hints = recheckTimes(basket).map((dueUnix) =>
      hintPut(table, basketHint(orgId, basket, dueUnix), basket.checkout),
    );
    const change = { orgId, before, basket, decision, slices, addressLimit, hints, sideEffects: sideEffects(basket) };
    const written = await writeChange(table, change);
    switch (written) {
      case 'written':
        return { outcome: 'changed', basket };
      case 'raced':
        return undefined;
      case 'too_many_from_address':
        return refuseAddress(table, change);
      case 'waited_for':
        return { outcome: 'refused', refusal: { reason: 'waited_for' }, basket: before };
      default:
        return (await findSlices(table, change, written.tooFewIn))
          ? undefined
          : { outcome: 'refused', refusal: soldOut(written.tooFewIn), basket: before };
    }
  });
}

function soldOut(tooFewIn: readonly StockMove[]): BasketRefusal {
  if (tooFewIn.some(({ stock }) => stock.kind === 'code')) return { reason: 'code_used_up' };
  return { reason: tooFewIn.some(({ stock }) => stock.kind === 'type') ? 'type_sold_out' : 'sold_out' };
}

/** The slices of stocks, by the name of the stock. */
type KnownSlices = Map<string, readonly StockSlice[]>;

/** Reads the slices of stocks that had too few tickets in one of them. False if a stock has too few in all of them. */
async function findSlices(
  table: Table,
  { orgId, slices }: BasketWrite,
  tooFewIn: readonly StockMove[],
): Promise<boolean> {
  if (tooFewIn.some((take) => take.slices === 1)) return false;
  const find = async (take: StockMove): Promise<boolean> => {
    const found = await slicesWith(table, orgId, stockRef(take.stock), take.tickets);
    if (found !== undefined) slices.set(stockName(take.stock), found);
    return found !== undefined;
  };
  return (await Promise.all(tooFewIn.map(find))).every(Boolean);
}

/**
 * The limit judges the time, not when the sweeper comes by: what the address does not hold any more is released as the sweeper
 * would, and then the rule decides again. Undefined if there may be room now.
 */
async function refuseAddress(
  table: Table,
  { orgId, before, basket, addressLimit }: BasketWrite,
): Promise<ChangedBasket | undefined> {
  const maxTickets = addressLimit?.maxTickets;
  const isFull = addressLimit === undefined || !(await makeRoom(table, orgId, { before, after: basket }, addressLimit));
  return isFull
    ? { outcome: 'refused', refusal: { reason: 'too_many_from_address', maxTickets }, basket: before }
    : undefined;
}

async function makeRoom(
  table: Table,
  orgId: string,
  change: { readonly before: Basket; readonly after: Basket },
  { maxTickets, nowUnix }: AddressLimit,
): Promise<boolean> {
  const { tickets, expired } = await readAddressCount(table, orgId, change.before, nowUnix);
  if (tickets + moreCounted(change) <= maxTickets) return true;
  let isReleased = false;
  // Each has at least one ticket, and no change needs room for more.
  for (const basketId of expired.slice(0, maxBasketTickets)) {
    const ended = await changeBasket(table, { orgId, basketId, decide: (basket) => expireBasket(basket, nowUnix) });
    isReleased ||= ended.outcome !== 'missing' && ended.basket.lines.length === 0;
  }
  return isReleased;
}

interface BasketWrite {
  readonly orgId: string;
  readonly before: Basket;
  readonly basket: Basket;
  readonly decision: Extract<Decision, { outcome: 'changed' }>;
  readonly slices: KnownSlices;
  readonly addressLimit: AddressLimit | undefined;
  readonly hints: readonly TransactItem[];
  readonly sideEffects: readonly TransactItem[];
}

/**
 * `raced`: another process changed the basket or the stocks of a price, or another checkout of the members came first: the rule
 * decides again.
 */
type WrittenBasket =
  | 'written'
  | 'raced'
  | 'too_many_from_address'
  | 'waited_for'
  | { readonly tooFewIn: readonly StockMove[] };

async function writeChange(table: Table, write: BasketWrite): Promise<WrittenBasket> {
  const { orgId, before, basket, decision, slices, addressLimit, hints, sideEffects } = write;
  const { takes = [], restock = [] } = decision;
  const put = basketPut(table, orgId, before, basket);
  const members = limitMoves(table, {
    orgId,
    eventId: before.eventId,
    before: limitCounts(before),
    after: limitCounts(basket),
  });
  const seats = seatItems(table, write);
  const counts = addressCountMoves(table, { orgId, before, after: basket, maxTickets: addressLimit?.maxTickets });
  const isAlone = [...members, ...counts, ...seats, ...takes, ...restock, ...hints, ...sideEffects].length === 0;
  if (isAlone) return (await putAlone(table, put.Put)) ? 'written' : 'raced';
  const refusals = await transact(
    table,
    () => {
      const taken = takes.flatMap((take) =>
        labelled(
          stockLabel(take),
          takeFromSlices(table, orgId, { ...take, onlyOpen: true }, slices.get(stockName(take.stock))),
        ),
      );
      const returned = restock.map((move) => returnToSlice(table, orgId, move));
      return [
        ...labelled('basket', [put, ...members, ...seats]),
        ...labelled('address', counts),
        ...taken,
        ...returned,
        ...hints,
      ];
    },
    sideEffects,
  );
  if (refusals.length === 0) return 'written';
  if (refusals.some(({ label }) => label === 'basket')) return 'raced';
  if (refusals.some(({ label }) => label === 'address')) return 'too_many_from_address';
  const failed = new Map(refusals.map(({ label, current }) => [label, current]));
  if (takes.some((take) => failed.has(stockLabel(take)) && isOtherStock(take, failed.get(stockLabel(take))))) {
    return 'raced';
  }
  // All slices are closed together, so one of them tells (ADR 65).
  if (takes.some((take) => failed.get(stockLabel(take))?.closed === true)) return 'waited_for';
  return { tooFewIn: takes.filter((take) => failed.has(stockLabel(take))) };
}

/** What a change takes and returns of the rows of seats. A row that has changed since it was read is decided again, like the basket. */
function seatItems(table: Table, { orgId, before, basket, decision }: BasketWrite): TransactItem[] {
  const { takes, returns } = seatChanges(before, basket);
  const owner = basketOwner(basket.basketId);
  return [
    ...takes.map((move) => {
      const seen = decision.seatRows?.get(rowName(move));
      if (seen === undefined) throw new Fault(`The row ${rowName(move)} was not read before its seats were taken.`);
      return takeSeats(table, orgId, move, { owner, seenVersion: seen.taken.version, size: seen.row.seats.length });
    }),
    ...returns.map((move) => returnSeats(table, orgId, move, owner)),
  ];
}

/** Whether the price has got other stocks since it was read. Then the stored slice has another version, or is gone. */
function isOtherStock({ stockVersion }: StockMove, slice: Readonly<Record<string, unknown>> | undefined): boolean {
  return stockVersion !== undefined && (slice === undefined || (slice.stockVersion ?? 0) !== stockVersion);
}

const stockLabel = (take: StockMove): string => `stock ${stockName(take.stock)}`;

/** Writes the basket if it has not changed since it was read. */
export function basketPut(table: Table, orgId: string, before: Basket | undefined, after: Basket) {
  return { Put: { TableName: table.name, Item: basketItem(orgId, after), ...unchangedSince(before) } };
}

/** The condition that the basket has not changed since it was read. */
export function basketCheck(table: Table, orgId: string, before: Basket): TransactItem {
  const key = basketKey(orgId, before.basketId);
  return { ConditionCheck: { TableName: table.name, Key: key, ...unchangedSince(before) } };
}

/** The hint of a checkout contains its request, for the log of a sweep that cannot read the basket. */
export function hintPut(table: Table, hint: DueHint, checkout: Checkout | null = null): TransactItem {
  return { Put: { TableName: table.name, Item: dueHintItem(hint, { requestId: checkout?.requestId ?? undefined }) } };
}
