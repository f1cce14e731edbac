import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { Problem } from '../../../shared/http/problem.ts';
import { findingsOf } from '../../support/audit.ts';
import { CrashPoint, crashingTable, RacePoint } from '../../support/faults/crashing-deps.ts';
import { announcedOf } from '../../support/feed.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { amount, crashMoments, crashPoints } from '../../support/thorough.ts';
import { type GivenTickets, givenTickets } from '../../support/tickets.ts';

await givenStackSecret();

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const rounds = Array.from({ length: amount(3, 60) }, (_, round) => round);
/** Lets one of two calls start a little earlier, another one in each round. */
const turns = (count: number) =>
  Array.from({ length: count }).reduce<Promise<void>>((so) => so.then(() => undefined), Promise.resolve());

const outcome = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof Problem) return error.code;
      throw error;
    },
  );

async function expectOneBarcode({ orgId, retrieve, scan, barcode }: GivenTickets): Promise<void> {
  const ticket = await retrieve();
  if (ticket.barcode !== barcode) expect(await scan(barcode)).toBe('transferred');
  expect(await findingsOf(table, orgId)).toEqual([]);
}

describe('an acceptance and something else at the same moment', () => {
  it.each(rounds)('a scan and an acceptance have one winner (%i)', async (round) => {
    const given = await givenTickets(table);
    const offered = await given.offer('grace@example.com');
    const [accepted, scanned] = await Promise.all([
      turns(round * 5).then(() => outcome(given.accept(offered))),
      turns((rounds.length - round) * 5).then(() => given.scan(given.barcode)),
    ]);
    expect([
      ['done', 'transferred'],
      ['ticket_scanned', 'ok'],
    ]).toContainEqual([accepted, scanned]);
    await expectOneBarcode(given);
  });

  it.each(rounds)('a refund and an acceptance: the ticket ends, under whichever barcode it has (%i)', async (round) => {
    const given = await givenTickets(table);
    const offered = await given.offer('grace@example.com');
    const [accepted] = await Promise.all([
      turns(round * 5).then(() => outcome(given.accept(offered))),
      turns((rounds.length - round) * 5).then(() => given.refund()),
    ]);
    expect(['done', 'ticket_not_active']).toContain(accepted);
    const ticket = await given.retrieve();
    expect(ticket).toMatchObject({ ticket_status_id: 3 });
    expect(await given.scan(String(ticket.barcode))).toBe('refunded');
    await expectOneBarcode(given);
  });

  it.each(rounds)('ten acceptances of one transfer, one of them wins (%i)', async () => {
    const given = await givenTickets(table);
    const offered = await given.offer('grace@example.com');
    const answers = await Promise.all(Array.from({ length: 10 }, () => outcome(given.accept(offered))));
    expect(answers.toSorted()).toEqual(['done', ...Array.from({ length: 9 }, () => 'transfer_not_open')]);
    expect((await announcedOf(table, given.orgId)).length).toBe(2);
    await expectOneBarcode(given);
  });

  it('two offers at the same moment: one of them is made', async () => {
    const given = await givenTickets(table);
    const answers = await Promise.all(['grace', 'joan'].map((name) => outcome(given.offer(`${name}@example.com`))));
    expect(answers.toSorted()).toEqual(['done', 'transfer_pending']);
  });

  it('a cancellation and an acceptance have one winner', async () => {
    for (const round of rounds) {
      const given = await givenTickets(table);
      const offered = await given.offer('grace@example.com');
      const answers = await Promise.all([
        turns(round * 5).then(() => outcome(given.accept(offered))),
        turns((rounds.length - round) * 5).then(() => outcome(given.cancel(offered))),
      ]);
      expect(answers.toSorted()).toEqual(['done', 'transfer_not_open']);
      await expectOneBarcode(given);
    }
  });
});

describe('what the former holder does while the ticket is accepted', () => {
  /** The calls of a fan on a ticket. The fan holds it when the call begins. */
  const calls = {
    'a change of its name': ({ rename }: GivenTickets, own: Table) => rename('Mallory', 'Grey', 'ada', own),
    'another offer': ({ offer }: GivenTickets, own: Table) => offer('mallory@example.com', 'ada', own),
  };

  it.each(Object.entries(calls))('%s is made before it, or finds no ticket', async (_name, call) => {
    let [at, isRaced] = [1, true];
    const answers: string[] = [];
    for (; isRaced; at += 1) {
      const given = await givenTickets(table);
      const offered = await given.offer('grace@example.com', 'ada');
      let accepted: Record<string, unknown> | undefined;
      const point = new RacePoint(at, 'before', async () => {
        accepted = await given.accept(offered, { fan: 'grace' });
      });
      const answered = outcome(call(given, crashingTable(table, point)));
      answers.push(await answered);
      isRaced = accepted !== undefined;
      if (!isRaced) break;
      // Grace has the name that she gave, and the only answer with the barcode.
      expect(await given.retrieve('grace')).toEqual(accepted);
      expect(answers.at(-1), `call ${at}`).not.toBe('done');
      await expectOneBarcode(given);
    }
    expect(at).toBeGreaterThan(4);
    expect(answers).toContain('resource_not_found');
  });
});

describe('a process that crashes while a ticket is given away', () => {
  /** Runs a step in a process that crashes at a call, and then again. Returns whether it crashed. */
  async function crashAt(at: number, when: 'before' | 'after'): Promise<boolean> {
    const given = await givenTickets(table);
    const offered = await given.offer('grace@example.com');
    const crashPoint = new CrashPoint(at, when);
    const crashing = crashingTable(table, crashPoint);
    const answered = await crashPoint.resultOf(given.accept(offered, { table: crashing, fan: 'grace' }));
    const repeated = await given.accept(offered, { fan: 'grace' });
    expect(repeated).toMatchObject({ ticket_name: 'Grace Hopper' });
    expect(await given.retrieve('grace')).toEqual(repeated);
    expect(await given.scan(given.barcode)).toBe('transferred');
    expect(await given.scan(String(repeated.barcode))).toBe('ok');
    expect((await announcedOf(table, given.orgId)).filter(({ type }) => type === 'ticket.transferred').length).toBe(1);
    expect(await findingsOf(table, given.orgId)).toEqual([]);
    return answered === undefined;
  }

  it.each(crashMoments)('an acceptance that crashes %s any call happens once or not at all', async (when) => {
    let last = 0;
    for (const at of crashPoints()) {
      last = at;
      if (!(await crashAt(at, when))) break;
    }
    expect(last).toBeGreaterThan(6);
  });

  it.each(crashMoments)(
    'an offer that crashes %s any call is made once or not at all, and can be cancelled',
    async (when) => {
      let last = 0;
      for (const at of crashPoints()) {
        last = at;
        const given = await givenTickets(table);
        const crashPoint = new CrashPoint(at, when);
        const crashing = crashingTable(table, crashPoint);
        const answered = await crashPoint.resultOf(given.offer('grace@example.com', undefined, crashing));
        const { data } = await given.transfers();
        expect(data.length).toBe((await announcedOf(table, given.orgId)).length);
        for (const transfer of data) await given.cancel(transfer);
        await given.accept(await given.offer('grace@example.com'));
        expect(await findingsOf(table, given.orgId)).toEqual([]);
        if (answered !== undefined) break;
      }
      expect(last).toBeGreaterThan(3);
    },
  );

  it.each(crashMoments)(
    'a cancellation that crashes %s any call happens once or not at all, and can be repeated',
    async (when) => {
      let last = 0;
      for (const at of crashPoints()) {
        last = at;
        const given = await givenTickets(table);
        const offered = await given.offer('grace@example.com');
        const crashPoint = new CrashPoint(at, when);
        const cancelled = given.cancel(offered, undefined, crashingTable(table, crashPoint));
        const answered = await crashPoint.resultOf(cancelled);
        expect(await given.cancel(offered)).toMatchObject({ status: 'cancelled' });
        expect(await outcome(given.accept(offered))).toBe('transfer_not_open');
        expect(await given.scan(given.barcode)).toBe('ok');
        expect(await findingsOf(table, given.orgId)).toEqual([]);
        if (answered !== undefined) break;
      }
      expect(last).toBeGreaterThan(3);
    },
  );
});
