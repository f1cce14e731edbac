import { beforeAll, describe, expect, it } from 'vitest';
import { changeBasket, openBasket } from '../../../shared/data/baskets/baskets.ts';
import { basketsOfBuyer } from '../../../shared/data/baskets/buyers.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { removeLine } from '../../../shared/domain/baskets/changes.ts';
import { claimBasket } from '../../../shared/sales/checkout/claim.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import {
  ada,
  chargesOf,
  checkoutDepsOf,
  givenBasket,
  givenOnSale,
  newCheckoutDeps,
  statusOf,
  type TestCheckoutDeps,
} from '../../support/baskets.ts';
import { createTestTable, openTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

interface Call {
  readonly name: string;
  readonly is: 'begun' | 'ended';
}

interface CallInput {
  readonly Item?: Readonly<Record<string, unknown>>;
  readonly Key?: Readonly<Record<string, unknown>>;
}

const hint = 'PutItem DUE';
const pointer = 'PutItem BSK pointer';
const claim = 'PutItem BSK row';
/** One Query reads the event with its phases. */
const event = 'Query ';

/** The same table, with its calls in order. `onClaim` is done before the first write of the row. */
function recordedTable(onClaim: () => Promise<unknown> = async () => {}) {
  const recorded = openTestTable(table.name);
  const calls: Call[] = [];
  let claims = 0;
  recorded.client.middlewareStack.add(
    (next, context) => async (args) => {
      const { Item, Key } = args.input as CallInput;
      const { pk, sk } = Item ?? Key ?? {};
      const kind = String(pk ?? '').split('#')[0] ?? '';
      const part = sk === '#' ? ' row' : ' pointer';
      const name = `${String(context.commandName).replace('Command', '')} ${kind}${kind === 'BSK' ? part : ''}`;
      if (name === claim && claims++ === 0) await onClaim();
      calls.push({ name, is: 'begun' });
      const result = await next(args);
      calls.push({ name, is: 'ended' });
      return result;
    },
    { step: 'initialize', priority: 'high' },
  );
  const at = (name: string, is: Call['is']) => calls.findIndex((call) => call.name === name && call.is === is);
  const writes = () => calls.filter(({ name, is }) => is === 'begun' && !/^(Get|BatchGet|Query)/.test(name));
  return { recorded, at, writes: () => writes().map(({ name }) => name) };
}

const claimWith = (deps: TestCheckoutDeps, basketId: number) =>
  claimBasket(deps, { basketId, buyer: ada, paymentMethod: 'pm_card_visa' }, 'checkout');

describe('the claim of a basket', () => {
  it('is a single write, after the pointer and the hint, which are written while the event is read', async () => {
    const { orgId } = newCheckoutDeps(table);
    const { price } = await givenOnSale(table, orgId);
    const { basketId } = await givenBasket(checkoutDepsOf(table, orgId), price);
    const { recorded, at, writes } = recordedTable();
    expect(await claimWith(checkoutDepsOf(recorded, orgId), basketId)).toMatchObject({ outcome: 'claimed' });
    expect(writes().toSorted()).toEqual([claim, pointer, hint].toSorted());
    for (const first of [pointer, hint]) {
      expect(at(first, 'begun')).toBeLessThan(at(event, 'ended'));
      expect(at(first, 'ended')).toBeLessThan(at(claim, 'begun'));
    }
    expect(at(event, 'ended')).toBeLessThan(at(claim, 'begun'));
  });

  it('that is refused leaves pointer and hint behind, which do no harm', async () => {
    const { orgId } = newCheckoutDeps(table);
    const { price } = await givenOnSale(table, orgId, { membershipTypeId: 7 });
    const deps = checkoutDepsOf(table, orgId);
    const { basketId } = await givenBasket(deps, price);
    const { recorded, writes } = recordedTable();
    expect(await claimWith(checkoutDepsOf(recorded, orgId), basketId)).toMatchObject({
      outcome: 'refused',
      refusal: { reason: 'membership_not_proven' },
    });
    expect(writes().toSorted()).toEqual([pointer, hint].toSorted());
    expect(await basketsOfBuyer(table, orgId, ada.emailAddress)).toMatchObject([{ basket: { status: 'open' } }]);
    deps.nowUnix += 60;
    await sweepBaskets(deps);
    expect(await statusOf(deps, basketId)).toBe('open');
  });

  it('of a basket that is empty writes nothing', async () => {
    const { recorded, writes } = recordedTable();
    const deps = newCheckoutDeps(recorded);
    const { basketId } = await openBasket(table, { orgId: deps.orgId, nowUnix: deps.nowUnix });
    expect(await claimWith(deps, basketId)).toMatchObject({ outcome: 'refused', refusal: { reason: 'empty' } });
    expect(writes()).toEqual([]);
  });

  it('that meets a change of the basket is decided again, on the basket as it is then', async () => {
    const { orgId } = newCheckoutDeps(table);
    const deps = checkoutDepsOf(table, orgId);
    const { price } = await givenOnSale(table, orgId);
    const { basketId } = await givenBasket(deps, price);
    const decide: Parameters<typeof changeBasket>[1]['decide'] = (basket) => removeLine(basket, 1, deps.nowUnix);
    const { recorded, writes } = recordedTable(() => changeBasket(table, { orgId, basketId, decide }));
    expect(await claimWith(checkoutDepsOf(recorded, orgId), basketId)).toMatchObject({
      outcome: 'refused',
      refusal: { reason: 'empty' },
    });
    expect(writes().toSorted()).toEqual([claim, pointer, hint].toSorted());
    expect(await statusOf(deps, basketId)).toBe('open');
    expect(await chargesOf(deps)).toEqual([]);
  });
});
