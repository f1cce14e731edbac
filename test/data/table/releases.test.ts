import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { handle as retrieve } from '../../../functions/api/baskets/retrieve-basket.ts';
import { handle as retrieveOne } from '../../../functions/api/orders/retrieve-order.ts';
import { changeBasket, readBasket } from '../../../shared/data/baskets/baskets.ts';
import { Contended } from '../../../shared/data/table/failures.ts';
import { basketKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { type KeyKind, keyKinds } from '../../../shared/domain/table-access.ts';
import { retrieveBasket } from '../../../shared/operations/baskets/retrieve-basket.ts';
import { retrieveOrder } from '../../../shared/operations/orders/retrieve-order.ts';
import { putItems } from '../../../tools/fixtures/put-items.ts';
import { set } from '../../support/audit.ts';
import { givenBasket, givenOnSale, newCheckoutDeps } from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { rewriteEveryKind, writeEveryKind } from '../../support/rows/every-kind.ts';
import { everyRow, kindsOf, type Row } from '../../support/rows/every-row.ts';
import { goldenOrganisations, goldenReaders, goldenReleases, goldenRows } from '../../support/rows/golden.ts';
import { readEveryKind } from '../../support/rows/read-every-kind.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

await givenStackSecret();

/** Kinds without items of their own. */
const withoutItems: readonly KeyKind[] = ['ORU', 'PING'];

const kindsWithItems = Object.keys(keyKinds).filter((kind) => !withoutItems.some((one) => one === kind));

/** Rows that are made of another row and of nothing else. A release makes them again from what it knows. */
const derived = /^(DUE|EVV|MEU|ORV|POT|SEP)#|^CUV#[^#]+#word#|^POS#.* c#|^BSK#[^#]+#(buyer|fan)#/;

/** The objects in a row: lines and payments of a basket, tickets of an order, attempts of a delivery. */
const nested = /^(BSK|DLV|ORD|ORT)#/;

function withLaterAttribute(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLaterAttribute);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, withLaterAttribute(field)]);
  return { ...Object.fromEntries(fields), later: 'carried on' };
}

async function addLaterAttributes(table: Table): Promise<void> {
  const rows = [...(await everyRow(table)).values()];
  await Promise.all(rows.map((row) => addLaterAttribute(table, row)));
}

async function addLaterAttribute(table: Table, { pk, sk, ...attributes }: Row): Promise<void> {
  const objects = nested.test(pk) ? Object.entries(attributes).filter(([, value]) => typeof value === 'object') : [];
  const fields: [string, unknown][] = [
    ['later', 'carried on'],
    ...objects.map(([name, value]): [string, unknown] => [name, withLaterAttribute(value)]),
  ];
  await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: { pk, sk },
      UpdateExpression: `SET ${fields.map((_, index) => `#${index} = :${index}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(fields.map(([name], index) => [`#${index}`, name])),
      ExpressionAttributeValues: Object.fromEntries(fields.map(([, value], index) => [`:${index}`, value])),
    }),
  );
}

/** The paths of the objects in a value that have lost the attribute. */
function losses(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => losses(item, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  const own = 'later' in value ? [] : [path];
  return [...own, ...Object.entries(value).flatMap(([name, field]) => losses(field, `${path}.${name}`))];
}

const orgId = 'org_later';

/** What to do when the rows of a release are not read. */
const advice =
  'A release that is in use would not read these rows, or its rows are not read. If this release was never deployed, run npm run golden. Otherwise expand first (ADR 48).';

describe('golden rows', () => {
  it('there are golden rows of a release', () => {
    expect(goldenReleases(), 'Run npm run golden.').not.toEqual([]);
  });

  it.each(goldenReleases())(
    'rows of every key kind of release %s are read, and agree with each other',
    async (release) => {
      const { table } = await createTestTable();
      const rows = goldenRows(release);
      expect(kindsOf(rows)).toEqual(
        kindsWithItems.filter((kind) => rows.some(({ pk }) => String(pk).startsWith(`${kind}#`))),
      );
      await putItems(table, rows);
      const readers = (await goldenReaders(release)) ?? readEveryKind;
      for (const golden of goldenOrganisations) {
        const counts = await readEveryKind(table, golden);
        expect(counts, advice).toMatchObject({ organisations: 1, findings: 0 });
        expect(counts, advice).toMatchObject(await readers(table, golden));
      }
    },
  );
});

describe('attributes of a later release', () => {
  let before: Map<string, Row>;
  let after: Map<string, Row>;

  let table: Table;
  let counted: Record<string, number>;
  let orderId: number;

  beforeAll(async () => {
    ({ table } = await createTestTable());
    const world = await writeEveryKind(table, orgId);
    counted = await readEveryKind(table, orgId);
    await addLaterAttributes(table);
    before = await everyRow(table);
    orderId = world.orderId;
    await rewriteEveryKind(world);
    after = await everyRow(table);
  });

  it('the API does not show attributes of a later release', async () => {
    const shown = [
      await callHandler(retrieveOrder, retrieveOne, { params: { order_id: String(orderId) } }, { table, orgId }),
      await callHandler(retrieveBasket, retrieve, { params: { basket_id: String(orderId) } }, { table, orgId }),
    ];
    expect(JSON.stringify(shown)).toContain(String(orderId));
    expect(JSON.stringify(shown)).not.toContain('carried on');
  });

  it('rows with attributes of a later release are read, and agree with each other', async () => {
    expect(counted).toMatchObject({ findings: 0 });
    expect(await readEveryKind(table, orgId)).toMatchObject({ findings: 0, members: counted.members });
  });

  it.each(goldenReleases())(
    'rows of this version, and unknown attributes in them, are read by the readers of release %s',
    async (release) => {
      const readers = await goldenReaders(release);
      if (readers !== undefined) expect(await readers(table, orgId)).toEqual(await readEveryKind(table, orgId));
    },
  );

  it('rows of every key kind are written', () => {
    expect(kindsOf(before.values())).toEqual(kindsWithItems);
  });

  it.each([
    ['ORT', '"gone":true'],
    ['ORT', '"back":['],
    ['BSK', '"returnedShares":['],
    ['MEM', '"pendingRefund":{'],
    ['PLN', '"was":"planned"'],
    ['PLN', '"fail":"refunded"'],
  ])('memberships that end are among them: %s %s', (kind, attribute) => {
    const rows = [...before].filter(([key]) => key.startsWith(`${kind}#`)).map(([, row]) => JSON.stringify(row));
    expect(rows.some((row) => row.includes(attribute))).toBe(true);
  });

  it('an unknown attribute survives every change of its row, also inside lists and maps of the row', () => {
    const lost = [...after].flatMap(([key, row]) => {
      const known = before.get(key);
      if (known === undefined || derived.test(key)) return [];
      if (row.later === undefined) return [key];
      const objects = nested.test(key) ? Object.entries(row).filter(([name]) => name in known) : [];
      return objects.flatMap(([name, value]) =>
        typeof value === 'object'
          ? losses(value, name)
              .filter((path) => path !== name || !Array.isArray(value))
              .map((path) => `${key} ${path}`)
          : [],
      );
    });
    expect(lost).toEqual([]);
  });

  it('the change that this shows is not empty: rows of these kinds were written again', () => {
    const changed = [...after].flatMap(([key, row]) => {
      const known = before.get(key);
      return known !== undefined && JSON.stringify(known) !== JSON.stringify(row)
        ? [key.slice(0, key.indexOf('#'))]
        : [];
    });
    expect([...new Set(changed)].sort()).toEqual(
      expect.arrayContaining(
        'AUD AUTH BAR BRK BSK CUS CUV DLV EVC EVT GATE HOOK IDM KEY MCF MEM ORD ORG ORT POS PUB RPL SSO STK'.split(' '),
      ),
    );
  });
});

describe('enum values of a later release', () => {
  it('a basket with an unknown status is shown, and is not changed', async () => {
    const { table } = await createTestTable();
    const deps = newCheckoutDeps(table);
    const { orgId } = deps;
    const { price } = await givenOnSale(table, orgId);
    const { basketId } = await givenBasket(deps, price);
    await set(table, basketKey(orgId, basketId), 'status', 'on_hold');
    const shown = await callHandler(
      retrieveBasket,
      retrieve,
      { params: { basket_id: String(basketId) } },
      { table, orgId },
    );
    expect(shown).toMatchObject({ status: 'checked_out' });
    const before = await everyRow(table);
    const change = changeBasket(table, {
      orgId,
      basketId,
      decide: (basket) => ({ outcome: 'changed', basket: { ...basket, status: 'cancelled' } }),
    });
    await expect(change).rejects.toThrow(Contended);
    expect(await everyRow(table)).toEqual(before);
    expect(await readBasket(table, orgId, basketId)).toMatchObject({ status: 'checked_out' });
  });
});
