import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Gateline } from '../../examples/mailer/gateline.ts';
import { remind, remindDaily } from '../../examples/mailer/remind.ts';
import { givenOrder } from '../support/mailer/api-double.ts';
import { type MailerBench, startMailerBench } from '../support/mailer/mailer.ts';

const dayMs = 86_400_000;
const lookMs = 30_000;

let bench: MailerBench;
beforeEach(async () => {
  bench = await startMailerBench();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await bench.stop();
});

it('the mailer looks for due invoices at once and once a day, an hour after a failure, and reminds of each once', async () => {
  const overdue = (order_id: number) => ({ order_id, due_unix: 1_774_000_000 });
  for (const id of [1, 2]) givenOrder(bench.api, id, { outstanding: 30, due_unix: 1_774_000_000 });
  bench.api.answers.set('/v1/orders/overdue', { data: [overdue(1)], next_cursor: 'n' });
  bench.api.answers.set('/v1/orders/overdue?cursor=n', { data: [overdue(2)], next_cursor: null });
  const mailer = bench.start();
  const gateline = new Gateline(bench.api.url, 'gl_test_secretkey');
  let woken = 0;
  let failures = 0;
  const stop = remindDaily({
    gateline,
    mailer,
    wake: () => {
      woken += 1;
    },
    failed: () => {
      failures += 1;
    },
    now: () => bench.nowMs,
  });
  await expect.poll(() => woken).toBe(1);
  vi.advanceTimersByTime(lookMs);
  bench.api.isDown = true;
  bench.nowMs += dayMs;
  vi.advanceTimersByTime(lookMs);
  await expect.poll(() => failures).toBe(1);
  bench.api.isDown = false;
  bench.nowMs += dayMs / 24;
  vi.advanceTimersByTime(lookMs);
  await expect.poll(() => woken).toBe(2);
  stop();

  const waiting = await mailer.due(10);
  expect(waiting).toEqual(['due_1_1774000000', 'due_2_1774000000']);
  for (const id of waiting) await mailer.work(id);
  expect(await remind(gateline, mailer)).toEqual([]);
  expect(
    bench
      .mails()
      .map(({ subject }) => subject)
      .sort(),
  ).toEqual(['Please pay €30.00: order 1', 'Please pay €30.00: order 2']);
});
