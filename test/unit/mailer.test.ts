import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimMs } from '../../examples/mailer/mail-state.ts';
import { type Mail, NeverSent } from '../../examples/mailer/send/sender.ts';
import { isFromGateline } from '../../examples/mailer/verify-webhook.ts';
import { newSecret, signatureHeaders } from '../../shared/webhooks/signature.ts';
import { givenOrder } from '../support/mailer/api-double.ts';
import { type MailerBench, startMailerBench } from '../support/mailer/mailer.ts';

let bench: MailerBench;
beforeEach(async () => {
  bench = await startMailerBench();
});
afterEach(() => bench.stop());

describe('the webhooks of the mailer', () => {
  const message = { id: 'evt_1', timestampUnix: 1_800_000_000, body: '{"type":"order.completed"}' };
  const nowMs = message.timestampUnix * 1000;

  it('one is accepted while two secrets overlap, on either side', () => {
    const [old, next, other] = [newSecret(), newSecret(), newSecret()];
    const both = signatureHeaders(message, [old, next]);
    expect(isFromGateline([old], both, message.body, nowMs)).toBe(true);
    expect(isFromGateline([next], both, message.body, nowMs)).toBe(true);
    expect(isFromGateline([old, next], signatureHeaders(message, [next]), message.body, nowMs)).toBe(true);
    expect(isFromGateline([other], both, message.body, nowMs)).toBe(false);
    expect(isFromGateline([], both, message.body, nowMs)).toBe(false);
  });

  it('one with another body or id, without headers, or of another time is refused', () => {
    const secret = newSecret();
    const headers = signatureHeaders(message, [secret]);
    expect(isFromGateline([secret], headers, `${message.body} `, nowMs)).toBe(false);
    expect(isFromGateline([secret], { ...headers, 'webhook-id': 'evt_2' }, message.body, nowMs)).toBe(false);
    expect(isFromGateline([secret], {}, message.body, nowMs)).toBe(false);
    expect(isFromGateline([secret], headers, message.body, nowMs + 301_000)).toBe(false);
    expect(isFromGateline([secret], headers, message.body, nowMs - 301_000)).toBe(false);
  });

  it('one that is signed with an empty secret is refused, also if the setting ends with a comma', () => {
    const forged = signatureHeaders(message, ['whsec_']);
    for (const secrets of [[''], ['whsec_'], [newSecret(), '']])
      expect(isFromGateline(secrets, forged, message.body, nowMs)).toBe(false);
  });

  it('one that nobody signed leaves nothing behind', async () => {
    const mailer = bench.start();
    const body = JSON.stringify(givenOrder(bench.api, 1));
    expect(await mailer.receive({ 'webhook-id': 'evt_completed1' }, body)).toEqual({ status: 400 });
    expect(await mailer.work('evt_completed1')).toBeUndefined();
    expect(bench.mails()).toEqual([]);
  });
});

describe('the mail of an order', () => {
  it('has the tickets with the links that the API returns, as plain text and HTML', async () => {
    const mailer = bench.start();
    expect(await bench.deliver(mailer, givenOrder(bench.api, 1))).toEqual({ status: 200, event: 'evt_completed1' });
    expect(await mailer.work('evt_completed1')).toBeUndefined();
    const [mail] = bench.mails();
    expect(mail).toMatchObject({ to: 'buyer1@example.com', subject: 'Your tickets: Harbour City FC v Rovers' });
    for (const part of [
      'Hello Ada,',
      '€30.00',
      'Saturday, 2 May 2026 at 19:30'.slice(0, 8),
      `${bench.api.url}/v1/orders/1/page?token=gl_order_secret1`,
      `${bench.api.url}/v1/tickets/10/page?token=gl_ticket_secret1`,
      `${bench.api.url}/v1/tickets/10/pdf?token=gl_ticket_secret1`,
      'East Stand, Adult, Ada Lovelace',
    ])
      expect(mail?.text).toContain(part);
    expect(mail?.html).toContain('Harbour &lt;City&gt; FC');
    expect(mail?.html).toContain(`href="${bench.api.url}/v1/orders/1/page?token=gl_order_secret1"`);
    expect(mail?.html).toContain('background:#0b2545;color:#ffffff');
  });

  it('does not have the link of a ticket that was given away meanwhile', async () => {
    const mailer = bench.start();
    await bench.deliver(mailer, givenOrder(bench.api, 1));
    const ticket = bench.api.answers.get('/v1/tickets/10');
    bench.api.answers.set('/v1/tickets/10', { ...ticket, barcode: 'ANOTHER' });
    await mailer.work('evt_completed1');
    expect(bench.mails()[0]?.text).not.toContain('gl_ticket_secret1');
  });

  it('has dates as the country of the organisation writes them', async () => {
    const organisation = bench.api.answers.get('/v1/organisation');
    bench.api.answers.set('/v1/organisation', { ...organisation, locale: 'en-GB' });
    const mailer = bench.start();
    const event = givenOrder(bench.api, 1);
    await bench.deliver(mailer, event);
    await mailer.work(event.id);
    expect(bench.mails()[0]?.text).toContain('2 May 2026');
  });

  it('is sent once, however often the webhook comes and is worked on at once', async () => {
    const [mailer, other] = [bench.start(), bench.start()];
    const event = givenOrder(bench.api, 1);
    await Promise.all([bench.deliver(mailer, event), bench.deliver(other, event)]);
    await Promise.all([mailer.work(event.id), other.work(event.id), mailer.work(event.id)]);
    bench.nowMs += 60_000;
    await mailer.work(event.id);
    expect(await bench.deliver(mailer, event)).toEqual({ status: 200 });
    expect(bench.mails()).toHaveLength(1);
  });

  it('is not sent to somebody who was erased, and nothing keeps the address', async () => {
    const mailer = bench.start();
    const event = givenOrder(bench.api, 1);
    await bench.deliver(mailer, event);
    bench.api.answers.delete('/v1/orders/1');
    expect(await mailer.work(event.id)).toBeUndefined();
    expect(bench.mails()).toEqual([]);
    expect(await mailer.list('event')).toEqual([]);
  });

  it('is forgotten if its order is erased, and not if that of somebody else is, who was no customer', async () => {
    const mailer = bench.start();
    const events = [givenOrder(bench.api, 400_000_001), givenOrder(bench.api, 500_000_002)];
    for (const event of events) await bench.deliver(mailer, event);
    const data = { user_id: null, org_customer_id: null, order_ids: [400_000_001], membership_member_ids: [] };
    const erased = { id: 'evt_erased', type: 'customer.erased', data };
    await bench.deliver(mailer, erased);
    expect((await mailer.list('event')).map(({ id }) => id)).toEqual(['evt_completed500000002']);
  });

  it('waits while the API does not answer', async () => {
    const mailer = bench.start();
    const event = givenOrder(bench.api, 1);
    await bench.deliver(mailer, event);
    bench.api.isDown = true;
    const again = await mailer.work(event.id);
    expect(again).toBeGreaterThan(bench.nowMs);
    expect(await mailer.list('event')).toMatchObject([{ id: event.id, failures: 1 }]);
    bench.api.isDown = false;
    bench.nowMs = again ?? 0;
    expect(await mailer.due(10)).toEqual([event.id]);
    await mailer.work(event.id);
    expect(bench.mails()).toHaveLength(1);
  });
});

describe('a mail that cannot be sent', () => {
  const event = () => givenOrder(bench.api, 1);

  it('is tried again later and later, then listed, and sent again when somebody asks for it', async () => {
    let isRefusing = true;
    const sent: Mail[] = [];
    const mailer = bench.start({
      send: (mail) => (isRefusing ? Promise.reject(new Error(`no ${mail.to}`)) : Promise.resolve(void sent.push(mail))),
    });
    const { id } = event();
    await bench.deliver(mailer, event());
    const waits: number[] = [];
    for (let tries = 0; tries < 20; tries += 1) {
      const again = await mailer.work(id);
      if (again === undefined) break;
      waits.push(again - bench.nowMs);
      bench.nowMs = again;
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 960, 1_920].map((seconds) => seconds * 1000));
    expect(await mailer.list('event')).toEqual([]);
    expect(await mailer.list('failed')).toMatchObject([{ id, failed: 1, reason: 'unexpected Error' }]);
    isRefusing = false;
    expect(await mailer.resend(id)).toBe(true);
    expect(await mailer.work(id)).toBeUndefined();
    expect(sent).toHaveLength(1);
    expect(await mailer.list('failed')).toEqual([]);
    expect(await mailer.resend(id)).toBe(false);
  });

  it('is listed at once if the provider will never take it', async () => {
    const mailer = bench.start({ send: () => Promise.reject(new NeverSent('SES answered MessageRejected')) });
    await bench.deliver(mailer, event());
    expect(await mailer.work(event().id)).toBeUndefined();
    expect(await mailer.list('failed')).toMatchObject([{ failed: 1, reason: 'SES answered MessageRejected' }]);
  });

  it('is sent at most once more after a crash between sending and noting, and never a third time', async () => {
    const sent: Mail[] = [];
    /** Sends, and then its process is gone: nothing is noted. */
    const dying = () =>
      bench.start({
        send(mail) {
          sent.push(mail);
          return new Promise(() => {});
        },
      });
    const { id } = event();
    const first = dying();
    await bench.deliver(first, event());
    void first.work(id);
    await expect.poll(() => sent.length).toBe(1);
    // The claim of the process that is gone still holds.
    const second = dying();
    bench.nowMs += 1_000;
    expect(await second.work(id)).toBe(bench.nowMs - 1_000 + claimMs);
    bench.nowMs += claimMs;
    void dying().work(id);
    await expect.poll(() => sent.length).toBe(2);
    bench.nowMs += claimMs + 1;
    const last = bench.start();
    expect(await last.work(id)).toBeUndefined();
    expect(bench.mails()).toEqual([]);
    expect(await last.list('failed')).toMatchObject([{ reason: 'nobody knows whether it was sent' }]);
  });

  it('is not sent to an address that bounced or complained', async () => {
    const mailer = bench.start();
    await mailer.suppress(' Buyer1@Example.com', 'bounced');
    await bench.deliver(mailer, event());
    expect(await mailer.work(event().id)).toBeUndefined();
    expect(bench.mails()).toEqual([]);
    expect(bench.lines.join('\n')).not.toMatch(/@|gl_/);
  });
});
