import { ModelDatabase } from '../../local/cloud/dynamodb/model/database.ts';
import { startModelDatabase } from '../../local/cloud/dynamodb/model/serve.ts';
import { derivedEventId } from '../../shared/data/table/derived-id.ts';
import { customerViewPartition, orderWordPartition } from '../../shared/data/table/keys.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { givenKey, givenOrganisation } from '../../tools/fixtures/auth.ts';
import { givenEvent, givenPrice, givenPriceCategory } from '../../tools/fixtures/events.ts';
import { type BenchTable, createdTable } from './bench-table.ts';
import {
  type BenchOrganisation,
  commonInitial,
  generateCustomers,
  generateEvents,
  generateMembers,
  generateSales,
  type Item,
} from './population.ts';

/** The rows of one kind in the organisation that has `size` of each kind. */
export interface RowSet {
  readonly rows: 'members' | 'customers' | 'events' | 'sales';
  readonly size: number;
}

const eventCode = 'growth';

/** The organisation that has `size` rows of each kind. All ids have the same length, because every measured item contains one. */
function organisationOfSize(size: number): BenchOrganisation {
  const orgId = `org_has${String(size).padStart(6, '0')}`;
  return { orgId, eventId: derivedEventId(orgId, eventCode) };
}

/** Writes what the items of that organisation do not contain: the organisation itself, a key, and the event with eight prices. */
export async function givenOrganisationOfSize(
  table: Table,
  size: number,
): Promise<BenchOrganisation & { readonly key: string }> {
  const { orgId, eventId } = organisationOfSize(size);
  await givenOrganisation(table, orgId);
  const { text: key } = await givenKey(table, orgId);
  await givenEvent(table, orgId, { code: eventCode });
  const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
  for (let price = 1; price <= 8; price += 1)
    await givenPrice(table, orgId, { eventId, categoryId, code: `p${price}` });
  return { orgId, eventId, key };
}

/**
 * Fills a new table with hundreds of thousands of rows. It is the model of the table: DynamoDB Local would take half an hour. It leaves
 * out what the measured reads cannot reach: of the search index it writes only the words with the initial of the searched name, and it
 * writes no unique values and no look-ups of customers. The cost of a Query does not depend on other partitions.
 */
export async function startFilledTable(
  rowSets: readonly RowSet[],
  progress: (text: string) => void,
): Promise<Omit<BenchTable, 'fill'>> {
  const database = new ModelDatabase();
  const served = await startModelDatabase(database);
  const table = await createdTable(served);
  const model = database.model(table.tableName);
  for (const rowSet of rowSets) {
    for (const Item of rowSetItems(rowSet)) model.putItem({ Item: { ...Item } });
    progress(`filled: ${rowSet.size.toLocaleString('en-US')} ${rowSet.rows}`);
  }
  return { ...table, stop: served.stop };
}

/** The items of a row set that the measured reads can reach. */
function* rowSetItems(rowSet: RowSet): Generator<Item> {
  for (const item of rowsOf(rowSet)) if (isMeasured(String(item.pk))) yield item;
}

function rowsOf({ rows, size }: RowSet): Iterable<Item> {
  const organisation = organisationOfSize(size);
  if (rows === 'members') return generateMembers(organisation, size);
  if (rows === 'events') return generateEvents(organisation, size);
  return rows === 'customers'
    ? generateCustomers(organisation, size)
    : generateSales(organisation, { orders: size, scans: size });
}

const initials = [customerViewPartition('*', 'word', commonInitial), orderWordPartition('*', 0, commonInitial)];
const wordSuffix = initials.map((partition) => partition.slice(partition.lastIndexOf('#')));

function isMeasured(pk: string): boolean {
  if (/^(MEM|SEQ|CUS|EVT|EVV|ORD|ORT|SCN|CNT|POS|POT)#/.test(pk)) return true;
  return /^(CUV|ORV)#/.test(pk) && [...wordSuffix, '#email'].some((suffix) => pk.endsWith(suffix));
}
