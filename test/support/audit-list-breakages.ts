import * as v from 'valibot';
import { createCampaign } from '../../shared/catalogue/code-campaigns.ts';
import { newCodes } from '../../shared/catalogue/new-codes.ts';
import { changeBasket, openBasket } from '../../shared/data/baskets/baskets.ts';
import { createCodes, findCode } from '../../shared/data/codes/codes.ts';
import { orderPositions } from '../../shared/data/orders/positions.ts';
import { applyPositionChanges } from '../../shared/data/positions/apply.ts';
import { type ItemKey, positionNodeKey, stockKey } from '../../shared/data/table/keys.ts';
import { sortableText } from '../../shared/data/table/sortable-text.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { AuditCheck } from '../../shared/domain/audit/finding.ts';
import { applyCode } from '../../shared/domain/baskets/codes.ts';
import { itemsLike } from '../../tools/fixtures/orders.ts';
import { putItems } from '../../tools/fixtures/put-items.ts';
import { add, idText, keyLike, remove, type Sales, set } from './audit.ts';
import { fieldsOf } from './fields-of.ts';

export interface Breakage {
  readonly what: string;
  readonly check: AuditCheck;
  readonly row: RegExp;
  readonly problem: RegExp;
  /** Breakages of the same group are made in one organisation. Without a group, each has its own. */
  readonly group?: 'first' | 'second' | 'third' | 'fourth' | 'fifth' | 'sixth' | 'seventh';
  readonly breaks: (table: Table, sales: Sales) => Promise<unknown>;
}

/** A basket that has taken the only use of a code. Returns where the use is counted. */
async function usedCode(table: Table, { orgId, deps }: Sales): Promise<ItemKey> {
  const fields = { title: 'Sponsors', effect: { kind: 'none', value: 0 } as const, usesPerCode: 1 };
  const saved = await createCampaign({ table, orgId, nowUnix: deps.nowUnix }, fields, () => []);
  if (saved.outcome !== 'saved') throw new Error(saved.outcome);
  const codes = newCodes(orgId, saved.campaign, { word: 'SPONSOR' }, deps.nowUnix);
  await createCodes(table, orgId, { codes, usesPerCode: 1 }, []);
  const found = await findCode(table, orgId, 'SPONSOR');
  const { basketId } = await openBasket(table, deps);
  await changeBasket(table, { orgId, basketId, decide: (basket) => applyCode(basket, found, deps.nowUnix) });
  return stockKey(orgId, found?.code.stockId ?? 0, 0);
}

/** Breakages of the rows that lists read: the tickets of orders, and position trees. */
export const listBreakages: readonly Breakage[] = [
  {
    what: 'the use of a code that nobody has',
    group: 'first',
    check: 'code-uses',
    row: /^STK#/,
    problem: /^1 uses of the code are taken that no basket and no order has\. \(campaign \d+\)$/,
    breaks: async (table, sales) => add(table, await usedCode(table, sales), 'avail', -1),
  },
  {
    what: 'a code that can be used again although somebody has it',
    group: 'second',
    check: 'code-uses',
    row: /^STK#/,
    problem: /^1 baskets and orders have a use of the code that is not taken\. \(campaign \d+\)$/,
    breaks: async (table, sales) => add(table, await usedCode(table, sales), 'avail', 1),
  },
  {
    what: 'a count of the tickets of a member without an order',
    group: 'fourth',
    check: 'member-tickets',
    row: /^MPM#.* u7$/,
    problem: /^It differs from the orders and the pending checkouts: p1m5 \+2\.$/,
    breaks: (table, { orgId, eventId }) => add(table, { pk: `MPM#${orgId}#${idText(eventId)}`, sk: 'u7' }, 'p1m5', 2),
  },
  {
    what: 'an order with a ticket at a price with a limit per member that is not counted',
    group: 'fifth',
    check: 'member-tickets',
    row: /^MPM#.* u9$/,
    problem: /^It does not exist, but orders have tickets that count\.$/,
    breaks: async (table, { orgId, eventId }) =>
      set(table, await keyLike(table, `ORD#${orgId}#${idText(eventId)}`), 'res', {
        owner: 'u9',
        tickets: [{ memberId: 5, priceIndex: 1, tickets: 1, limit: 2 }],
      }),
  },
  {
    what: 'an order without the item of its tickets',
    group: 'first',
    check: 'order-copies',
    row: /^ORT#/,
    problem: /^The order has no item of its tickets\.$/,
    breaks: async (table, { orgId, eventId }) => remove(table, await keyLike(table, `ORT#${orgId}#${idText(eventId)}`)),
  },
  {
    what: 'an item of tickets with another version than its order',
    group: 'second',
    check: 'order-copies',
    row: /^ORT#/,
    problem: /^It differs from the order and its tickets\.$/,
    breaks: async (table, { orgId, eventId }) =>
      add(table, await keyLike(table, `ORT#${orgId}#${idText(eventId)}`), 'v', 1),
  },
  {
    what: 'an item of tickets without an order',
    group: 'third',
    check: 'order-copies',
    row: /^ORT#/,
    problem: /^It belongs to no order\.$/,
    breaks: (table, { orgId, eventId }) =>
      set(table, { pk: `ORT#${orgId}#${idText(eventId)}`, sk: `2000000000#${idText(77)}` }, 'v', 1),
  },
  {
    what: 'a position of an order with another status than the order',
    group: 'fifth',
    check: 'position-trees',
    row: /^POT#org_audit\d+#orders /,
    problem:
      /^The tree differs from the list: 1 rows are missing, the first is (\d+); 1 keys belong to no row, the first is of \1\.$/,
    breaks: async (table, { orgId }) => {
      const [change] = await itemsLike(table, `POS#${orgId}#orders`);
      const { pk, sk, added } = fieldsOf(change);
      const all = String(fieldsOf(added).all);
      await set(table, { pk: String(pk), sk: String(sk) }, 'added', { all: all.replace(/k(?=.{9}$)/, 'p') });
    },
  },
  ...(['customers', 'events', 'members', 'orders'] as const).map((resource) => ({
    what: `a row that the position trees of ${resource} do not know`,
    group: 'first' as const,
    check: 'position-trees' as const,
    row: new RegExp(`^POT#org_audit\\d+#${resource} `),
    problem: /^The tree differs from the list: 1 rows are missing, the first is \d+\.$/,
    breaks: async (table: Table, { orgId }: Sales) => remove(table, await keyLike(table, `POS#${orgId}#${resource}`)),
  })),
  {
    what: 'a member whose search words are missing',
    group: 'third',
    check: 'position-trees',
    row: /^POT#org_audit\d+#member-words \/ words#root$/,
    problem: /^The tree should have 1 words more\.$/,
    breaks: async (table, { orgId }) => {
      const [change] = await itemsLike(table, `POS#${orgId}#member-words`);
      const { pk, sk, added } = fieldsOf(change);
      const [, ...words] = Object.values(fieldsOf(fieldsOf(added).words));
      await set(table, { pk: String(pk), sk: String(sk) }, 'added', { ...fieldsOf(added), words });
    },
  },
  {
    what: 'a search word that no member has',
    group: 'fifth',
    check: 'position-trees',
    row: /^POT#org_audit\d+#member-words \/ words#root$/,
    problem: /^1 words belong to no member, the first is of 77\.$/,
    breaks: (table, { orgId }) =>
      set(table, { pk: `POS#${orgId}#member-words`, sk: `c#${idText(77)}#00000001` }, 'added', {
        words: [`anna\u0000${sortableText(77, 9)}`],
      }),
  },
  {
    what: 'a member with other names than its search words',
    group: 'fourth',
    check: 'position-trees',
    row: /^POT#org_audit\d+#member-words \/ words#root$/,
    problem: /^1 members have other words, the first is \d+\.$/,
    breaks: async (table, { orgId }) => set(table, await keyLike(table, `MEM#${orgId}`), 'lastName', 'Otherwise'),
  },
  {
    what: 'a key in a position tree without a row',
    group: 'fourth',
    check: 'position-trees',
    row: /^POT#org_audit\d+#orders /,
    problem: /^The tree differs from the list: 1 keys belong to no row, the first is of 0*77\.$/,
    breaks: (table, { orgId, eventId }) => {
      const added = orderPositions({ placedUnix: 1_000_000_000, orderId: 77, status: 'confirmed', eventId });
      return set(table, { pk: `POS#${orgId}#orders`, sk: `${idText(77)}#00000001` }, 'added', added);
    },
  },
  {
    what: 'a position of a member with other fields than the member',
    group: 'second',
    check: 'position-trees',
    row: /^POT#org_audit\d+#members \/ all#root$/,
    problem:
      /^The tree differs from the list: 1 rows are missing, the first is (\d+); 1 keys belong to no row, the first is of \1\.$/,
    breaks: async (table, { orgId }) => {
      const [change] = await itemsLike(table, `POS#${orgId}#members`);
      const { pk, sk, added } = fieldsOf(change);
      const all = String(fieldsOf(added).all);
      await set(table, { pk: String(pk), sk: String(sk) }, 'added', {
        ...fieldsOf(added),
        all: all.replace(/\|\d/, '|9'),
      });
    },
  },
  {
    what: 'a node of a position tree that counts too many keys below it',
    group: 'third',
    check: 'position-trees',
    row: /^POT#org_audit\d+#orders /,
    problem: /^A node of level 0 has 1 keys, its parent says 9\.$/,
    breaks: async (table, { orgId }) => {
      await applyPositionChanges(table, { orgId, resource: 'orders' });
      const nodeAt = (name: string) => positionNodeKey(orgId, 'orders', 'all', name);
      const [root] = await itemsLike(table, nodeAt('root').pk);
      const [one = '', two = ''] = v.parse(v.array(v.string()), fieldsOf(root).k);
      const children = [
        [one, 9, 1],
        [two, 1, 1],
      ];
      await putItems(table, [
        { ...nodeAt('root'), v: fieldsOf(root).v, l: 1, c: children },
        { ...nodeAt(`0#${one}`), v: 1, k: [one] },
        { ...nodeAt(`0#${two}`), v: 1, k: [two] },
      ]);
    },
  },
];
