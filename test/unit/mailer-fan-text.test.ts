import { describe, expect, it } from 'vitest';
import { fanText } from '../../examples/mailer/mails/fan-text.ts';
import { givenOrder } from '../support/mailer/api-double.ts';
import { startMailerBench } from '../support/mailer/mailer.ts';

const evil = 'Win at http://evil.example/a or www.evil.example, ask me@evil.example';

describe('a name that a fan has typed', () => {
  it.each([
    ['http://evil.example/pay', 'http evil. example pay'],
    ['www.evil.example', 'www. evil. example'],
    ['me@evil.example', 'me evil. example'],
    ['mailto:me', 'mailto me'],
    ['ｅｖｉｌ．example', 'evil. example'],
    ['evil｡example', 'evil. example'],
    ['evil․example', 'evil. example'],
    ['evil.\u200bexample', 'evil. \u200bexample'],
    ['evil.\ufeffexample', 'evil. example'],
    ['\\\\evil\\share', 'evil share'],
    ['J.R.R. Tolkien', 'J. R. R. Tolkien'],
    ['Sammy Davis Jr., Dr. O’Brien-Ünal', 'Sammy Davis Jr., Dr. O’Brien-Ünal'],
    ['王小明', '王小明'],
    [null, ''],
  ])('%s is written as "%s", so no mail program makes a link of it', (typed, written) => {
    expect(fanText(typed)).toBe(written);
  });

  it('is no link in any mail that has it', async () => {
    const bench = await startMailerBench();
    const person = { first_name: evil, last_name: evil, type_title: 'Supporter', member_number: '7', expires: null };
    const ticket = { ticket_id: 10, ticket_status_id: 1, barcode: 'BARCODE1', price_title: 'Adult', ticket_name: evil };
    const { data } = givenOrder(bench.api, 1, {
      first_name: evil,
      outstanding: 30,
      due_unix: 1_774_000_000,
      tickets: [ticket],
      memberships: [{ ...person, membership_member_id: 4 }],
    });
    const { answers } = bench.api;
    answers.set('/v1/members/4', { ...person, email_address: 'mia@example.com' });
    answers.set('/v1/tickets/10/transfers', { data: [{ transfer_id: '10-1', status: 'offered' }] });
    const withdrawal = { withdrawal_id: 'w', order_id: 1, membership_member_ids: [4], received_at: 1, amount: 3 };
    answers.set('/v1/withdrawals/w', { ...withdrawal, status: 'accepted' });
    const transfer = { transfer_id: '10-1', ticket_id: 10, email: 'grace@example.com', expires_at: 1_774_000_000 };
    const given = { event_id: '7', order_id: 1, ticket, transfer };
    const refund = { order_id: 1, amount: 3, kept: 0, to_return: 0, currency: 'EUR', ticket_ids: [10] };
    const term = { price: 3, currency: 'EUR', until: null };
    const events = {
      'order.completed': data,
      'order.refunded': { refund },
      'order.cancelled': { ...data, cancelled_tickets: [ticket] },
      'ticket.transfer_offered': given,
      'ticket.transferred': given,
      'instalment.failed': {
        payment_plan: { order_id: 1, currency: 'EUR', outstanding: 3 },
        instalment: { amount: 3, due: 1_774_000_000 },
      },
      'membership.renewed': { member: { membership_member_id: 4 }, term },
      'order.withdrawal_decided': { withdrawal },
      'invoice.due': { order_id: 1 },
    };
    const mailer = bench.start();
    for (const [type, facts] of Object.entries(events)) {
      await mailer.accept({ id: type, type, data: facts });
      await mailer.work(type);
    }
    // An accepted ticket has two.
    expect(bench.mails()).toHaveLength(Object.keys(events).length + 1);
    for (const { subject, text, html } of bench.mails()) {
      expect(`${subject}${text}${html}`).not.toMatch(/evil\.example|@evil|www\.evil|:\/\/evil/);
      expect(text).toContain('evil. example');
    }
    expect(await mailer.list('failed')).toEqual([]);
    await bench.stop();
  });
});
