import { beforeAll, describe, expect, it } from 'vitest';
import { BarcodeLookup } from '../../../shared/data/scans/barcode-lookup.ts';
import { recordScan } from '../../../shared/data/scans/record.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { givenEvent } from '../../../tools/fixtures/events.ts';
import { aScan } from '../../../tools/fixtures/orders.ts';
import { findingsOf } from '../../support/audit.ts';
import { chargesOf } from '../../support/baskets.ts';
import { crashingTable } from '../../support/faults/faulty-table.ts';
import { daySeconds, memberOf } from '../../support/renewals.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { crashMoments, crashPoints } from '../../support/thorough.ts';
import { enter, givenBought } from '../../support/withdrawals.ts';

let table: Table;
await givenStackSecret();
beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
});

type Held = Awaited<ReturnType<typeof givenBought>> & { id?: unknown; token?: unknown };
type Work = (held: Held, table: Table) => Promise<unknown>;

const used = async (held: Held): Promise<void> => enter(held.deps, held.memberId, held.deps.nowUnix + 1);
const asked = async (held: Held): Promise<void> => {
  held.id = (await held.ask(held.orderId, 'ada@example.com')).body.withdrawal_id;
  held.token = (await held.retrieve(held.id)).body.confirm_token;
};
const waiting = async (held: Held): Promise<void> => {
  await used(held);
  held.id = (await held.request(held.orderId)).body.withdrawal_id;
};

const works: readonly (readonly [string, Work, (held: Held) => Promise<void>])[] = [
  ['accepting by itself', (held, own) => held.request(held.orderId, {}, { table: own }), async () => {}],
  ['letting wait', (held, own) => held.request(held.orderId, {}, { table: own }), used],
  ['asking by a page', (held, own) => held.ask(held.orderId, 'ada@example.com', { table: own }), async () => {}],
  [
    'asking again after a day, in place of what nobody has confirmed',
    (held, own) => held.ask(held.orderId, 'ada@example.com', { table: own }),
    async (held) => {
      await asked(held);
      held.deps.nowUnix += daySeconds;
    },
  ],
  ['confirming', (held, own) => held.confirm(held.id, held.token, { table: own }), asked],
  ['accepting', (held, own) => held.decide(held.id, { decision: 'accept', keep: 40 }, { table: own }), waiting],
  ['refusing', (held, own) => held.decide(held.id, { decision: 'refuse', reason: 'Used' }, { table: own }), waiting],
];

/** The client sends it again after a crash, and the worker carries out what was requested. */
async function outcomeOf(work: Work, held: Held) {
  const { deps, orderId, memberId } = held;
  await work(held, table);
  await held.settle(orderId);
  expect(await findingsOf(table, deps.orgId)).toEqual([]);
  const listed = (await held.list()).body.data;
  return {
    statuses: Array.isArray(listed) ? listed.map(({ status, amount }) => [status, amount]) : [],
    events: (await held.events()).toSorted(),
    member: (await memberOf(deps, memberId)).statusId,
    returned: (await chargesOf(deps)).map(({ refundedMinor }) => refundedMinor),
  };
}

async function given(prepare: (held: Held) => Promise<void>): Promise<Held> {
  const held: Held = { ...(await givenBought(table)) };
  await prepare(held);
  return held;
}

describe.each(works)('withdrawal: %s', (_what, work, prepare) => {
  it.each(crashMoments)('a crash %s any call loses nothing and returns nothing twice', async (when) => {
    const undisturbed = await given(prepare);
    await work(undisturbed, table);
    const wanted = await outcomeOf(work, undisturbed);
    for (const at of crashPoints()) {
      const held = await given(prepare);
      const crashing = crashingTable(table, at, when);
      await work(held, crashing.table).catch(() => undefined);
      expect(await findingsOf(table, held.deps.orgId), `call ${at}`).toEqual([]);
      expect(await outcomeOf(work, held), `call ${at}`).toEqual(wanted);
      if (crashing.hasCrashed()) continue;
      return;
    }
  });
});

it('a withdrawal and an entry at the same moment: one of the two sees the other', async () => {
  const find = new BarcodeLookup(table, { gate: undefined, categories: new Map() }).find;
  for (let round = 0; round < 6; round += 1) {
    const { deps, orderId, memberId, request } = await givenBought(table, { gameDayAccess: 1 });
    const { eventId } = await givenEvent(table, deps.orgId, { code: 'match', statusId: 1 });
    const barcode = (await memberOf(deps, memberId)).barcode ?? '';
    const scan = aScan(barcode, { eventId, scannedUnix: deps.nowUnix });
    const [answer, scanned] = await Promise.all([
      request(orderId),
      recordScan(table, { orgId: deps.orgId, scan, nonce: null }, { find }),
    ]);
    const outcome = [answer.body.status, scanned.scan.result];
    expect([
      ['accepted', 'cancelled'],
      ['received', 'ok'],
    ]).toContainEqual(outcome);
  }
});

it('two requests and two decisions at once: each is made once', async () => {
  const both = await given(async () => {});
  const answers = await Promise.all([both.request(both.orderId), both.request(both.orderId)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409]);
  await both.settle(both.orderId);
  expect(await findingsOf(table, both.deps.orgId)).toEqual([]);
  const held = await given(waiting);
  const decided = await Promise.all([
    held.decide(held.id, { decision: 'accept' }),
    held.decide(held.id, { decision: 'refuse', reason: 'Used' }),
  ]);
  expect(decided.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(await findingsOf(table, held.deps.orgId)).toEqual([]);
});
