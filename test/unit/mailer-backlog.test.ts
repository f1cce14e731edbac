import { expect, it } from 'vitest';
import { Explained } from '../../examples/mailer/explained.ts';
import { pace } from '../../examples/mailer/pace.ts';
import { FileStore } from '../../examples/mailer/store/file-store.ts';
import { startMailerBench } from '../support/mailer/mailer.ts';
import { amount } from '../support/thorough.ts';

const people = amount(2_000, 10_000);
const perSecond = 10;
const pageSize = 500;

it('a cancelled event with thousands of addresses is sent at the pace of the provider, with progress, and what has to wait repeats nothing', async () => {
  const bench = await startMailerBench();
  const path = '/v1/events/7/tickets?addresses=true&limit=500';
  for (let from = 0; from < people; from += pageSize)
    bench.api.answers.set(from === 0 ? path : `${path}&cursor=${from}`, {
      data: Array.from({ length: pageSize }, (_, index) => ({
        to_notify: true,
        holder_email: `fan${from + index}@example.com`,
      })),
      next_cursor: from + pageSize < people ? String(from + pageSize) : null,
    });
  const beganMs = bench.nowMs;
  const sentAt: number[] = [];
  const times = new Map<string, number>();
  let isRefused = false;
  const sender = {
    async send({ to }: { readonly to: string }) {
      sentAt.push(bench.nowMs);
      if (to === 'fan700@example.com' && !isRefused) {
        isRefused = true;
        throw new Explained('SES answered TooManyRequestsException');
      }
      times.set(to, (times.get(to) ?? 0) + 1);
    },
  };
  const clock = {
    now: () => bench.nowMs,
    async wait(ms: number) {
      bench.nowMs += ms;
    },
  };
  const mailer = bench.start(sender, { store: new FileStore(':memory:'), turn: pace(perSecond, 1, clock) });
  const event = {
    event_id: '7',
    title: 'Harbour City FC v Rovers',
    venue_name: null,
    utc_event_start_date: '2026-05-02T17:30:00Z',
    timezone: 'Europe/Berlin',
    event_status_id: '3',
  };
  const data = { event, refund: 'all', reason: null };
  const announced = { id: 'evt_1', type: 'event.cancelled', data };
  await bench.deliver(mailer, announced);

  // An execution that ends after a minute and a half finishes its second page of 50 seconds, and says how far it is.
  await mailer.work('evt_1', beganMs + 90_000);
  expect(await mailer.list('event')).toMatchObject([{ id: 'evt_1', looked: 2 * pageSize, failed: 0 }]);
  expect(sentAt).toHaveLength(2 * pageSize);
  expect(bench.nowMs - beganMs).toBe((2 * pageSize - 1) * (1000 / perSecond));

  for (let dueMs = await mailer.work('evt_1'); dueMs !== undefined; dueMs = await mailer.work('evt_1'))
    bench.nowMs = Math.max(bench.nowMs, dueMs);
  expect(times.size).toBe(people);
  expect(Math.max(...times.values())).toBe(1);
  expect(sentAt).toHaveLength(people + 1);
  // All pages were read once more for the one mail, which took one turn.
  expect(bench.nowMs - beganMs).toBe(people * (1000 / perSecond));
  // In no second more than the provider takes.
  expect(sentAt.filter((at, index) => (sentAt[index + perSecond] ?? Number.MAX_SAFE_INTEGER) - at < 999)).toEqual([]);
  expect(await mailer.list('event')).toEqual([]);
  expect(await mailer.list('failed')).toEqual([]);
  const progress = bench.lines.filter((line) => line.includes('"looked":'));
  expect(progress).toHaveLength(2 * (people / pageSize));
  expect(bench.lines.join('\n')).not.toContain('@');
  await bench.stop();
});
