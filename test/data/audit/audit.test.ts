import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { confirmed } from '../../../shared/data/audit/confirm.ts';
import { putHint } from '../../../shared/data/table/due-hints.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { Finding } from '../../../shared/domain/audit/finding.ts';
import { type Admin, adminTool, givenLocalRun, type LocalRun } from '../../support/admin.ts';
import { add, findingsOf, givenSales, idText, keyLike, remove, type Sales, set } from '../../support/audit.ts';
import { checkOutWith, givenBasket, givenOnSale, noonUnix } from '../../support/baskets.ts';
import { itemsLike } from '../../support/orders.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
let local: LocalRun;
let admin: Admin;

beforeAll(async () => {
  ({ table } = await createTestTable());
  local = givenLocalRun(table);
  admin = adminTool({ localFile: local.file, nowMs: () => noonUnix * 1000 });
});
afterAll(() => local.remove());

describe('audit of an event', () => {
  it('audit finds nothing after purchases, a cancellation, an open basket and scans', async () => {
    const { orgId, eventId } = await givenSales(table);
    expect(await findingsOf(table, orgId, eventId)).toEqual([]);
  });

  it.each<{ what: string; check: string; row: RegExp; problem: RegExp; breaks: (sales: Sales) => Promise<unknown> }>([
    {
      what: 'a stock that lost tickets',
      check: 'stock',
      row: /^STK#/,
      problem: /^3 tickets are neither available, held nor sold\.$/,
      breaks: async ({ orgId, eventId }) =>
        add(table, await keyLike(table, `STK#${orgId}#${idText(eventId)}`), 'avail', -3),
    },
    {
      what: 'a stock that was returned twice',
      check: 'stock',
      row: /^STK#/,
      problem: /^2 more tickets are available, held and sold than the capacity allows\.$/,
      breaks: async ({ orgId, eventId }) =>
        add(table, await keyLike(table, `STK#${orgId}#${idText(eventId)}`), 'avail', 2),
    },
    ...(['SD', 'SH', 'SM'] as const).map((letters) => ({
      what: `a ${letters} counter of orders with too many tickets`,
      check: 'sales-counters',
      row: new RegExp(`^CNT#.*#${letters}`),
      problem: /differs from its rows: t1 \+1\.$/,
      breaks: async ({ orgId, eventId }: Sales) =>
        add(table, await keyLike(table, `CNT#${orgId}#${idText(eventId)}#${letters}`), 't1', 1),
    })),
    {
      what: 'a large counter with too little money',
      check: 'sales-counters',
      row: /^CNT#.*#SS0/,
      problem: /n1 -500\.$/,
      breaks: async ({ orgId, eventId }) =>
        add(table, await keyLike(table, `CNT#${orgId}#${idText(eventId)}#SS0`), 'n1', -500),
    },
    {
      what: 'a counter of orders by status',
      check: 'sales-counters',
      row: /^CNT#.*#SM/,
      problem: /k0 -1\.$/,
      breaks: async ({ orgId, eventId }) =>
        add(table, await keyLike(table, `CNT#${orgId}#${idText(eventId)}#SM`), 'k0', -1),
    },
    {
      what: 'a counter of scans',
      check: 'scan-counters',
      row: /^CNT#.*#XD/,
      problem: /s12 \+1\.$/,
      breaks: async ({ orgId, eventId }) =>
        add(table, await keyLike(table, `CNT#${orgId}#${idText(eventId)}#XD`), 's12', 1),
    },
    {
      what: 'a missing scan',
      check: 'scan-counters',
      row: /^CNT#.*#X/,
      problem: /s\d+ \+1\.$/,
      breaks: async ({ orgId, eventId }) => remove(table, await keyLike(table, `SCN#${orgId}#${idText(eventId)}`)),
    },
    {
      what: 'a missing ticket',
      check: 'order-tickets',
      row: /^ORD#/,
      problem: /^1 of its tickets have no row; the first is BAR /,
      breaks: async ({ orgId, barcode }) => remove(table, await keyLike(table, `BAR#${orgId}#${barcode}`)),
    },
    {
      what: 'a ticket of another event',
      check: 'order-tickets',
      row: /^ORD#/,
      problem: /belongs to order \d+ of event 7\.$/,
      breaks: async ({ orgId, barcode }) => set(table, await keyLike(table, `BAR#${orgId}#${barcode}`), 'event', 7),
    },
    {
      what: 'a ticket whose status the order does not know',
      check: 'order-tickets',
      row: /^ORD#/,
      problem: /as sold, its tickets are /,
      breaks: async ({ orgId, barcode }) => set(table, await keyLike(table, `BAR#${orgId}#${barcode}`), 'st', 3),
    },
    {
      what: 'an order that its id does not find',
      check: 'order-ids',
      row: /^ORD#/,
      problem: /^UNI#.*#order#\d+ does not lead to it\.$/,
      breaks: async ({ orgId, orderId }) => remove(table, await keyLike(table, `UNI#${orgId}#order#${orderId}`)),
    },
  ])('audit finds $what and names the row', async ({ check, row, problem, breaks }) => {
    const sales = await givenSales(table);
    await breaks(sales);
    const findings = await findingsOf(table, sales.orgId, sales.eventId);
    expect(findings).toContainEqual({
      check,
      row: expect.stringMatching(row),
      problem: expect.stringMatching(problem),
    });
    // Never repaired: a second audit finds the same.
    expect(await findingsOf(table, sales.orgId, sales.eventId)).toEqual(findings);
  });
});

describe('audit while others write', () => {
  const finding = (problem: string): Finding => ({ check: 'stock', row: 'STK#org_1 / 1', problem });

  it('audit reports only what every look finds', async () => {
    const looks = [[finding('1 ticket'), finding('2 tickets')], [finding('2 tickets')], [finding('2 tickets')]];
    expect(await confirmed(async () => looks.shift(), { looks: 3, wait: async () => {} })).toEqual([
      finding('2 tickets'),
    ]);
  });

  it('audit skips what is written during every look', async () => {
    let looks = 0;
    const interrupted = async () => {
      looks += 1;
      return undefined;
    };
    expect(await confirmed(interrupted, { looks: 3, wait: async () => {} })).toEqual([]);
    expect(looks).toBe(3);
  });

  it('audit finds nothing while baskets are filled and checked out', async () => {
    const { deps, orgId, eventId } = await givenSales(table);
    const { price } = await givenOnSale(table, orgId);
    let selling = true;
    const sales = (async () => {
      for (let sold = 0; sold < 12; sold += 1) {
        const { basketId } = await givenBasket(deps, price, 2);
        if (sold % 2 === 0) await checkOutWith(deps, basketId);
      }
      selling = false;
    })();
    const found: Finding[] = [];
    while (selling) found.push(...(await findingsOf(table, orgId, price.eventId)));
    await sales;
    expect(found).toEqual([]);
    expect(await findingsOf(table, orgId, price.eventId)).toEqual([]);
    expect(await findingsOf(table, orgId, eventId)).toEqual([]);
  });
});

describe('admin audit', () => {
  it('audit checks an organisation and says what it read', async () => {
    const { orgId } = await givenSales(table);
    const { exitCode, stdout } = await admin('audit', orgId, '--local', '--json');
    expect(JSON.parse(stdout)).toEqual({ org_id: orgId, events: 1, orders: 2, scans: 2, members: 2, findings: [] });
    expect(exitCode).toBe(0);
  });

  it('audit finds a wrong filter row, one without a member, and a hint that no sweeper processes', async () => {
    const { orgId } = await givenSales(table);
    const filters = await itemsLike(table, `MEF#${orgId}`);
    const [first, second] = filters.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) }));
    if (first === undefined || second === undefined) throw new Error('There are no filter rows.');
    await remove(table, first);
    await set(table, second, 'f', `${String(filters[1]?.f)}9`);
    await set(table, { pk: first.pk, sk: idText(77) }, 'f', String(filters[1]?.f));
    await putHint(table, { kind: 'stock', ref: [orgId, '1'], dueUnix: noonUnix - 3_600 });
    const { exitCode, stdout, stderr } = await admin('audit', orgId, '--local', '--json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'audit_findings' } });
    const { findings }: { findings: Finding[] } = JSON.parse(stdout);
    expect(findings.map(({ check, row }) => `${check} ${row.split('#')[0]}`).sort()).toEqual([
      'member-filters MEF',
      'member-filters MEF',
      'member-filters MEF',
      'overdue-hints DUE',
    ]);
  });

  it('audit finds a position tree that lost a row', async () => {
    const { orgId } = await givenSales(table);
    await remove(table, await keyLike(table, `POS#${orgId}#events`));
    const { stdout } = await admin('audit', orgId, '--local', '--json');
    const { findings }: { findings: Finding[] } = JSON.parse(stdout);
    expect(findings.map(({ check, problem }) => [check, problem.replace(/ is .*$/, '')])).toEqual([
      ['position-trees', 'The tree differs from the list: 1 rows are missing, the first'],
      ['position-trees', 'The tree differs from the list: 1 rows are missing, the first'],
    ]);
  });

  it('audit of one event refuses an event that does not exist', async () => {
    const { orgId } = await givenSales(table);
    const { exitCode, stderr } = await admin('audit', orgId, '--event', '4096', '--local', '--json');
    expect([exitCode, JSON.parse(stderr).error.code]).toEqual([1, 'event_missing']);
  });
});
