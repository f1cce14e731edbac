import * as v from 'valibot';
import { personAddress } from '../../domain/customers/person-address.ts';
import { readBasket } from '../baskets/baskets.ts';
import { maxBatch, readRange } from '../lists/range-reader.ts';
import { ownedOrders } from '../orders/owner-index.ts';
import { parseOrder } from '../orders/row.ts';
import { batchGet } from '../table/batch-get.ts';
import { personHash } from '../table/hash-key.ts';
import {
  addressOrdersPartition,
  basketBuyerKey,
  offeredTicketsPartition,
  orderKey,
  waitingPersonPartition,
} from '../table/keys.ts';
import type { PersonHash } from '../table/person-hash.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { parseBarcodeRow } from '../transfers/row.ts';
import { parseEntry } from '../waiting-list/row.ts';

const IndexKeys = v.object({ pk: v.string(), sk: v.string() });
const Pointer = v.object({ basketId: v.number() });

/** The hashes of an address as it was typed, and without its tag. */
interface AddressHashes {
  readonly exact: string;
  readonly untagged: string;
}

/**
 * The email address that hashes stand for, as long as any row without a customer has it; undefined if none has. Waiting lists know a
 * person by the address without its tag, so if only they have the person, it is that address.
 */
export async function addressOfHash(
  table: Table,
  orgId: string,
  { exact, untagged }: AddressHashes,
): Promise<string | undefined> {
  const known = knownHash(exact);
  const inLists = await waiting(table, orgId, knownHash(untagged));
  const found = [
    ...(await offered(table, orgId, known)),
    ...inLists,
    ...(await checkedOut(table, orgId, known)),
    ...(await ordered(table, orgId, known)),
  ];
  const { address } = await personHash(table);
  const same = found.find((emailAddress) => emailAddress !== null && address(orgId, emailAddress) === exact);
  const [inList] = inLists;
  return same ?? (inList && personAddress(inList));
}

const knownHash = (hash: string): PersonHash => ({ address: () => hash, names: () => '', reference: () => '' });

type Addresses = Promise<readonly (string | null)[]>;

async function offered(table: Table, orgId: string, known: PersonHash): Addresses {
  const items = await itemsIn(table, offeredTicketsPartition(orgId, '', known));
  return items.flatMap((item) => parseBarcodeRow(item).offers.map(({ emailAddress }) => emailAddress));
}

async function waiting(table: Table, orgId: string, known: PersonHash): Promise<readonly string[]> {
  return (await itemsIn(table, waitingPersonPartition(orgId, '', known))).map((item) => parseEntry(item).emailAddress);
}

async function checkedOut(table: Table, orgId: string, known: PersonHash): Addresses {
  const pointers = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': basketBuyerKey(orgId, '', 0, known).pk },
    ConsistentRead: true,
  });
  const ids = pointers.map((item) => v.parse(Pointer, item).basketId);
  const baskets = await Promise.all(ids.map((basketId) => readBasket(table, orgId, basketId)));
  return baskets.flatMap((basket) =>
    [basket?.checkout?.buyer, basket?.longHold?.customer].map((one) => one?.emailAddress ?? null),
  );
}

async function ordered(table: Table, orgId: string, known: PersonHash): Addresses {
  const positions = await readRange(table, ownedOrders(addressOrdersPartition(orgId, '', known)), maxBatch);
  const keys = positions.map(({ eventId, sortKey }) => orderKey(orgId, eventId, sortKey));
  return (await batchGet(table, keys, { consistent: true })).map((item) => parseOrder(item).emailAddress);
}

async function itemsIn(table: Table, partition: string) {
  const keys = await queryAll(table, {
    IndexName: 'by6',
    KeyConditionExpression: 'by6pk = :pk',
    ExpressionAttributeValues: { ':pk': partition },
  });
  return batchGet(
    table,
    keys.map((item) => v.parse(IndexKeys, item)),
    { consistent: true },
  );
}
