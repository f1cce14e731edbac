import { beforeAll, describe, expect, it } from 'vitest';
import { changeBasket, openBasket } from '../../../shared/data/baskets/baskets.ts';
import { isTableUnavailable } from '../../../shared/data/table/failures.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { cancelBasket } from '../../../shared/domain/baskets/changes.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { checkOutWith, givenBasket, givenSlicedOnSale, newCheckoutDeps } from '../../support/baskets.ts';
import { crashingTable } from '../../support/faults/faulty-table.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { crashMoments, crashPoints } from '../../support/thorough.ts';
import {
  announced,
  audited,
  type Deps,
  join,
  leave,
  leftOf,
  list,
  serve,
  snatch,
  statuses,
  sweepLists,
} from '../../support/waiting-list.ts';

const day = 86_400;
let table: Table;
await givenStackSecret();
beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
});

/** Four places in three slices: one basket has all of them. */
async function givenHeld() {
  const deps = newCheckoutDeps(table);
  const { price } = await givenSlicedOnSale(table, deps.orgId, 4);
  const { basketId } = await givenBasket(deps, price, 4);
  return { deps, price, basketId };
}

const cancel = ({ table: own, orgId, nowUnix }: Deps, basketId: number) =>
  changeBasket(own, { orgId, basketId, decide: (basket) => cancelBasket(basket, nowUnix) });

type Held = Awaited<ReturnType<typeof givenHeld>>;
type Work = (deps: Deps, held: Held) => Promise<unknown>;

const works: readonly (readonly [string, Work, (held: Held) => Promise<unknown>])[] = [
  ['joining first', (deps, { price }) => join(deps, price, 'ada'), async () => undefined],
  ['joining later', (deps, { price }) => join(deps, price, 'bob'), ({ deps, price }) => join(deps, price, 'ada')],
  [
    'leaving',
    async (deps, { price }) => leave(deps, (await list(deps, price))[0] ?? { event_id: '', entry_id: '' }),
    ({ deps, price }) => join(deps, price, 'ada'),
  ],
  [
    'leaving with an offer',
    async (deps, { price }) => leave(deps, (await list(deps, price))[0] ?? { event_id: '', entry_id: '' }),
    async ({ deps, price, basketId }) => {
      for (const name of ['ada', 'bob']) {
        await join(deps, price, name, { quantity: 4 });
        deps.nowUnix += 1;
      }
      await cancel(deps, basketId);
      await serve(deps, price);
    },
  ],
  [
    'offering',
    (deps, { price }) => serve(deps, price),
    async ({ deps, price, basketId }) => {
      await join(deps, price, 'ada', { quantity: 3 });
      await join(deps, price, 'bob');
      await join(deps, price, 'cleo');
      await cancel(deps, basketId);
    },
  ],
  [
    'ending offers',
    (deps, { price }) => serve(deps, price),
    async ({ deps, price, basketId }) => {
      for (const name of ['ada', 'bob']) await join(deps, price, name, { quantity: 2 });
      await join(deps, price, 'cleo', { quantity: 4 });
      await cancel(deps, basketId);
      await serve(deps, price);
      const [ada] = await list(deps, price);
      await checkOutWith(deps, Number(ada?.basket_id));
      deps.nowUnix += day;
      await sweepBaskets(deps);
    },
  ],
];

/** The client sends it again after a crash, the stream repeats it, and the sweeper comes by within the hour. */
async function outcomeOf(work: Work, held: Held) {
  const { deps, price } = held;
  await work(deps, held);
  await serve(deps, price);
  expect(await audited(deps, price)).toEqual([]);
  const outcome = {
    statuses: await statuses(deps, price),
    announced: (await announced(deps)).toSorted(),
    left: await leftOf(deps, price),
  };
  deps.nowUnix += 3_600;
  expect(await sweepLists(deps)).toBe(0);
  return outcome;
}

describe.each(works)('waiting list: %s', (_what, work, given) => {
  it.each(crashMoments)('a crash %s any call loses no place and offers nothing twice', async (when) => {
    const undisturbed = await givenHeld();
    await given(undisturbed);
    const wanted = await outcomeOf(work, undisturbed);
    for (const at of crashPoints()) {
      const held = await givenHeld();
      await given(held);
      const crashing = crashingTable(table, at, when);
      await work({ ...held.deps, table: crashing.table }, held).catch(() => undefined);
      expect(await audited(held.deps, held.price), `call ${at}`).toEqual([]);
      expect(await outcomeOf(work, held), `call ${at}`).toEqual(wanted);
      if (crashing.hasCrashed()) continue;
      expect(at).toBeGreaterThan(8);
      return;
    }
  });
});

describe('waiting list: many at once', () => {
  it('people join, leave, give back and try to snatch: nothing is lost, taken by others, or offered twice (Hi.Events 1072)', async () => {
    const { deps, price, basketId } = await givenHeld();
    const baskets = await Promise.all(Array.from({ length: 6 }, () => openBasket(table, deps)));
    await join(deps, price, 'first', { quantity: 4 });
    const passing = async (work: Promise<unknown>) => {
      await work.catch((error: unknown) => {
        if (!isTableUnavailable(error)) throw error;
      });
    };
    const snatched: string[] = [];
    await Promise.all([
      ...Array.from({ length: 12 }, (_, index) => passing(join(deps, price, `fan${index}`, wishOf(index)))),
      passing(cancel(deps, basketId)),
      ...Array.from({ length: 4 }, () => passing(serve(deps, price))),
      ...baskets.map(async (basket) => passing(snatch(deps, price, basket.basketId).then((got) => snatched.push(got)))),
    ]);
    expect(snatched).not.toContain('changed');
    await serve(deps, price);
    const entries = await list(deps, price);
    expect(entries.filter(({ status }) => status === 'offered').length).toBeGreaterThan(0);
    expect(await audited(deps, price)).toEqual([]);
    const waiting = entries.filter(({ status }) => status === 'waiting');
    await Promise.all([...waiting.map((entry) => passing(leave(deps, entry))), passing(serve(deps, price))]);
    for (const entry of await list(deps, price)) await leave(deps, entry);
    await serve(deps, price);
    expect(await leftOf(deps, price)).toEqual({ avail: 4, capacity: 4 });
    expect(await audited(deps, price)).toEqual([]);
  });
});

const wishOf = (index: number) => ({ quantity: 1 + (index % 3), accept_less: index % 2 === 0 });
