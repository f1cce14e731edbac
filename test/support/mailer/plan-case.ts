import { expect } from 'vitest';
import { givenOrder } from './api-double.ts';
import { startMailerBench } from './mailer.ts';

export const startUnix = Date.UTC(2026, 4, 1, 16, 0) / 1000;
export const title = 'Harbour City FC v Rovers';
export const event = {
  event_id: '7',
  title,
  venue_id: 3,
  venue_name: 'Harbour Park',
  utc_event_start_date: '2026-05-02T17:30:00Z',
  timezone: 'Europe/Berlin',
  event_status_id: '1',
};
export const buyer = 'buyer1@example.com';

export interface PlanCase {
  readonly what: string;
  readonly type: string;
  readonly data: object;
  /** What the API says when the mail is sent, beside the order and the event. */
  readonly answers?: Readonly<Record<string, object>>;
  /** Of the order. */
  readonly order?: object;
  /** To whom, the subject, and what the mail says; what it does not say begins with `not `. */
  readonly mails: readonly (readonly [to: string, subject: string, ...says: string[]])[];
}

/** Announces what the case says to a mailer of its own, and compares the mails. */
export async function expectMails({ type, data, answers = {}, order, mails }: PlanCase): Promise<void> {
  const bench = await startMailerBench();
  try {
    givenOrder(bench.api, 1, order);
    for (const [path, answer] of Object.entries(answers)) bench.api.answers.set(path, answer);
    const mailer = bench.start();
    const announced = { id: 'evt_1', type, data };
    // No webhook announces an invoice: the program makes this event up itself.
    if (type === 'invoice.due') await mailer.accept(announced);
    else expect((await bench.deliver(mailer, announced)).status).toBe(200);
    expect(await mailer.work('evt_1')).toBeUndefined();
    const sent = bench.mails();
    const addressed = sent.map(({ to, subject }) => [to, subject]);
    expect(addressed.sort()).toEqual(mails.map(([to, subject]) => [to, subject]).sort());
    for (const [to, , ...says] of mails) {
      const text = sent.find((mail) => mail.to === to)?.text;
      for (const words of says) {
        if (words.startsWith('not ')) expect(text).not.toContain(words.slice(4));
        else expect(text).toContain(words);
      }
    }
    expect(await mailer.list('event')).toEqual([]);
    expect(await mailer.list('failed')).toEqual([]);
    expect(bench.lines.join('\n')).not.toMatch(/@|gl_/);
  } finally {
    await bench.stop();
  }
}
