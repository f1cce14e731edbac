import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sumOf } from '../../shared/domain/money.ts';
import { declineVerdict } from '../../shared/domain/payments/decline.ts';
import {
  beginCharge,
  chargeDeclined,
  chargePaid,
  paidElsewhere,
  recordPlanCharge,
} from '../../shared/domain/plans/charge.ts';
import {
  dueInstalment,
  type Instalment,
  nextDueUnix,
  outstandingMinor,
  overdueSinceUnix,
  type PlanRecord,
  paidElsewhereMinor,
  paidMinor,
  totalMinor,
} from '../../shared/domain/plans/plan.ts';
import { cancelOpen } from '../../shared/domain/plans/refund.ts';
import { scheduleOf } from '../../shared/domain/plans/schedule.ts';

const timezone = 'Australia/Melbourne';
const day = 86_400;
const noon = (year: number, month: number, date: number) => Date.UTC(year, month - 1, date, 1) / 1000;
const line = { timezone, termMonths: 12, expiresUnix: null };
const option = { instalments: 6, fixedEndUnix: null };
const purchase = { amountMinor: 28_500, currency: 'AUD', nowUnix: noon(2026, 1, 31), seed: 0 };

const localDay = (unix: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(new Date(unix * 1000));

describe('the schedule of instalments', () => {
  it('is monthly on the same local day, where the 31st becomes the last day', () => {
    const days = scheduleOf(line, option, purchase).map(({ dueUnix }) => localDay(dueUnix));
    expect(days).toEqual(['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31', '2026-06-30']);
    const leap = scheduleOf(line, { ...option, instalments: 2 }, { ...purchase, nowUnix: noon(2028, 1, 30) });
    expect(leap.map(({ dueUnix }) => localDay(dueUnix))).toEqual(['2028-01-30', '2028-02-29']);
  });

  it('has equal shares, and what the division leaves in the first', () => {
    const amounts = (amountMinor: number, currency = 'AUD') =>
      scheduleOf(line, option, { ...purchase, amountMinor, currency }).map((one) => one.amountMinor);
    expect(amounts(10_000)).toEqual([1_670, 1_666, 1_666, 1_666, 1_666, 1_666]);
    // Cards are charged in steps of ten in a currency with three decimals.
    expect(amounts(10_000, 'KWD')).toEqual([1_700, 1_660, 1_660, 1_660, 1_660, 1_660]);
    expect(amounts(5)).toEqual([5]);
    expect(amounts(0)).toEqual([0]);
  });

  it('ends before the fixed end of the option, otherwise before the term ends, with fewer instalments', () => {
    const count = (rule: { readonly termMonths?: number | null }, fixedEndUnix: number | null) =>
      scheduleOf({ ...line, ...rule }, { ...option, fixedEndUnix }, purchase).length;
    expect(count({ termMonths: 3 }, null)).toBe(4);
    expect(count({ termMonths: null }, null)).toBe(6);
    expect(count({}, noon(2026, 3, 15))).toBe(2);
    expect(count({ termMonths: 3 }, noon(2026, 12, 1))).toBe(6);
    expect(count({}, noon(2026, 1, 1))).toBe(1);
  });

  it('is spread over the day by the basket', () => {
    const times = [0, 64 * 3_600, 64 * 43_200].map(
      (seed) => scheduleOf(line, option, { ...purchase, seed })[1]?.dueUnix,
    );
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBe(3_600);
    expect(times[2]).toBe(times[0]);
  });

  it('adds up to the price, whatever it is', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.integer({ min: 1, max: 24 }), fc.nat(), (amountMinor, instalments, seed) => {
        for (const currency of ['AUD', 'JPY', 'KWD']) {
          const planned = scheduleOf(line, { ...option, instalments }, { ...purchase, amountMinor, currency, seed });
          expect(sumOf(planned.map((one) => one.amountMinor))).toBe(amountMinor);
          const [first = 0, ...others] = planned.map((one) => one.amountMinor);
          for (const other of others) expect(other > 0 && other <= first && other === others[0]).toBe(true);
        }
      }),
    );
  });
});

const due = purchase.nowUnix + 30 * day;
const instalment = (number: number, fields: Partial<Instalment> = {}): Instalment => ({
  number,
  dueUnix: due + (number - 2) * 30 * day,
  amountMinor: 1_000,
  status: 'planned',
  attempts: 0,
  paidUnix: null,
  failure: null,
  retryUnix: null,
  charge: null,
  ...fields,
});
const plan: PlanRecord = {
  planId: 60,
  orderId: 64,
  eventId: null,
  lineId: 1,
  memberIds: [7],
  userId: 9,
  optionId: 'six',
  currency: 'AUD',
  provider: 'sandbox',
  account: null,
  customer: 'cus_1',
  paymentMethod: 'pm_1',
  charge: null,
  version: 1,
  instalments: [instalment(1, { status: 'paid', paidUnix: purchase.nowUnix }), instalment(2), instalment(3)],
};
const insufficient = { code: 'insufficient_funds', message: '' };
const statuses = ({ instalments }: PlanRecord) => instalments.map(({ status }) => status);
const charge = { provider: 'sandbox', chargeId: 'ch_1', account: null };

describe('a plan', () => {
  it('is looked at when the next instalment is due, and not charged before', () => {
    expect(nextDueUnix(plan)).toBe(due);
    expect(dueInstalment(plan, due - 1)).toBeUndefined();
    expect(dueInstalment(plan, due)).toMatchObject({ number: 2 });
  });

  it('counts each attempt, and has one charge at a time until its lease ends', () => {
    const wanted = { number: 2, paymentMethod: null, requestId: null, nowUnix: due };
    const begun = beginCharge(plan, wanted);
    expect(begun.charge).toMatchObject({ number: 2, attempt: 1, charge: null });
    expect(nextDueUnix(begun)).toBe(due + 60);
    const waiting = recordPlanCharge(begun, charge, { waits: true, nowUnix: due + 5 });
    expect(nextDueUnix(waiting)).toBe(due + 900);
    const paid = chargePaid(waiting, due + 9, null);
    expect(paid.instalments[1]).toMatchObject({ status: 'paid', paidUnix: due + 9, attempts: 1, charge });
    expect(paid).toMatchObject({ charge: null, paymentMethod: 'pm_1' });
    expect(chargePaid(waiting, due, 'pm_2')).toMatchObject({ paymentMethod: 'pm_1' });
    const saving = { ...waiting, charge: waiting.charge && { ...waiting.charge, saves: true } };
    expect(chargePaid(saving, due, 'pm_2')).toMatchObject({ paymentMethod: 'pm_2', methodUnix: due });
    expect(chargePaid({ ...saving, customer: null }, due, 'pm_2')).toMatchObject({ paymentMethod: 'pm_1' });
  });

  it('tries a declined instalment again 3, 7 and 12 days after it was due, and then waits for the member', () => {
    let current = plan;
    const tries: number[] = [];
    for (let at: number | undefined = due; at !== undefined; at = dueAgain(current)) {
      tries.push((at - due) / day);
      current = chargeDeclined(current, 2, insufficient, at);
    }
    expect(tries).toEqual([0, 3, 7, 12]);
    expect(current.instalments[1]).toMatchObject({ status: 'action_required', failure: 'insufficient_funds' });
    expect(overdueSinceUnix(current)).toBe(due);
    expect(statuses(chargeDeclined(plan, 2, { code: 'authentication_required', message: '' }, due))[1]).toBe(
      'action_required',
    );
  });

  function dueAgain({ instalments }: PlanRecord): number | undefined {
    return instalments[1]?.retryUnix ?? undefined;
  }

  it('knows which declines are final', () => {
    expect(['insufficient_funds', 'try_again_later', null].map((code) => declineVerdict({ code }))).toEqual(
      Array.from({ length: 3 }, () => 'retry'),
    );
    expect(
      ['stolen_card', 'authentication_required', 'account_changed'].map((code) => declineVerdict({ code })),
    ).toEqual(Array.from({ length: 3 }, () => 'act'));
  });

  it('is what was paid, what is outstanding and what was cancelled', () => {
    const elsewhere = paidElsewhere(plan, 2, due);
    const ended = cancelOpen(elsewhere);
    expect(statuses(ended)).toEqual(['paid', 'paid', 'cancelled']);
    expect([totalMinor(ended), paidMinor(ended), outstandingMinor(ended), paidElsewhereMinor(ended)]).toEqual([
      3_000, 2_000, 0, 1_000,
    ]);
    expect(outstandingMinor(plan)).toBe(2_000);
    expect(nextDueUnix(ended)).toBeUndefined();
  });
});
