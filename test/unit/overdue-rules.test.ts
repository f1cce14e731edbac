import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { monthsLater } from '../../shared/domain/members/term.ts';
import { beginCharge, chargeDeclined, chargePaid, recordPlanCharge } from '../../shared/domain/plans/charge.ts';
import {
  dueInstalment,
  type Instalment,
  overdueSinceIfPaid,
  overdueSinceUnix,
  type PlanRecord,
  payableInstalment,
} from '../../shared/domain/plans/plan.ts';
import { cancelOpen, reopenCancelled, returnInstalment } from '../../shared/domain/plans/refund.ts';
import { scheduleOf } from '../../shared/domain/plans/schedule.ts';
import { isOverdue } from '../../shared/domain/scans/member-subject.ts';

const day = 86_400;
const boughtUnix = Date.UTC(2026, 0, 31) / 1000;
const due = (number: number) => boughtUnix + (number - 1) * 30 * day;

const instalment = (number: number, status: Instalment['status']): Instalment => ({
  number,
  dueUnix: due(number),
  amountMinor: 1_000,
  status,
  attempts: 0,
  paidUnix: null,
  failure: null,
  retryUnix: null,
  charge: null,
});

function planOf(...later: readonly Instalment['status'][]): PlanRecord {
  return {
    planId: 60,
    orderId: 64,
    eventId: null,
    lineId: 1,
    memberIds: [7],
    userId: 9,
    optionId: 'six',
    provider: 'sandbox',
    account: null,
    customer: 'cus_1',
    paymentMethod: 'pm_1',
    charge: null,
    version: 1,
    currency: 'AUD',
    instalments: [instalment(1, 'paid'), ...later.map((status, index) => instalment(index + 2, status))],
  };
}

/** The plan while an instalment is being charged. */
function charging(plan: PlanRecord, number: number, { waits }: { readonly waits: boolean }): PlanRecord {
  const begun = beginCharge(plan, { number, paymentMethod: 'pm_2', requestId: 'req-1', nowUnix: due(4) });
  const charge = { provider: 'sandbox', chargeId: 'ch_1', account: null };
  return recordPlanCharge(begun, charge, { waits, nowUnix: due(4) });
}

const local = (unix: number, timezone: string) => {
  const options = { timeZone: timezone, day: 'numeric', hour: 'numeric', hourCycle: 'h23' } as const;
  const parts = new Intl.DateTimeFormat('en', options).formatToParts(unix * 1000);
  const numberOf = (wanted: string) => Number(parts.find(({ type }) => type === wanted)?.value);
  return { day: numberOf('day'), hour: numberOf('hour') };
};

describe('a member is overdue', () => {
  it('since the oldest instalment that was declined and is not paid, whatever else is paid', () => {
    expect(overdueSinceUnix(planOf('planned', 'planned'))).toBeNull();
    expect(overdueSinceUnix(planOf('paid', 'failed', 'action_required'))).toBe(due(3));
    expect(overdueSinceUnix(planOf('failed', 'paid', 'planned'))).toBe(due(2));
    expect(overdueSinceUnix(planOf('paid', 'paid', 'paid'))).toBeNull();
  });

  it('until the oldest is paid: a later one that is paid first does not admit', () => {
    const later = chargePaid(charging(planOf('action_required', 'failed'), 3, { waits: false }), due(4), null);
    expect(overdueSinceUnix(later)).toBe(due(2));
    const all = chargePaid(charging(later, 2, { waits: false }), due(4), null);
    expect(overdueSinceUnix(all)).toBeNull();
  });

  it('not by what is due and was never declined, however long ago', () => {
    const plan = planOf('planned', 'planned');
    expect(dueInstalment(plan, due(9))).toMatchObject({ number: 2 });
    expect(overdueSinceUnix(plan)).toBeNull();
    expect(payableInstalment(plan)).toMatchObject({ number: 2 });
  });

  it('not by what was cancelled, and again if the refund that cancelled it is refused', () => {
    const plan = planOf('failed', 'action_required', 'planned');
    const cancelled = cancelOpen(plan);
    expect(overdueSinceUnix(cancelled)).toBeNull();
    expect(payableInstalment(cancelled)).toBeUndefined();
    expect(overdueSinceUnix(reopenCancelled(cancelled))).toBe(due(2));
  });

  it('since now by an instalment whose money was returned, not since it was due first', () => {
    expect(overdueSinceUnix(returnInstalment(planOf('paid', 'planned'), 2, due(6)))).toBe(due(6));
  });

  it('by a decline since the day it was due, also when it was charged days later', () => {
    const declined = chargeDeclined(
      planOf('planned'),
      2,
      { code: 'insufficient_funds', message: '' },
      due(2) + 5 * day,
    );
    expect(overdueSinceUnix(declined)).toBe(due(2));
    expect(declined.instalments[1]).toMatchObject({ status: 'failed', retryUnix: due(2) + 7 * day });
  });

  it('as if a charge without an outcome were paid, but not one that waits for the member', () => {
    const plan = planOf('action_required', 'failed');
    expect(overdueSinceIfPaid(charging(plan, 2, { waits: false }))).toBe(due(3));
    expect(overdueSinceIfPaid(charging(plan, 3, { waits: false }))).toBe(due(2));
    expect(overdueSinceIfPaid(charging(plan, 2, { waits: true }))).toBe(due(2));
    expect(overdueSinceIfPaid(charging(planOf('failed'), 2, { waits: false }))).toBeNull();
    // An attempt without a recorded charge has moved no money.
    const begun = beginCharge(plan, { number: 2, paymentMethod: null, requestId: null, nowUnix: due(4) });
    expect(overdueSinceIfPaid(begun)).toBe(due(2));
    expect(overdueSinceIfPaid(plan)).toBe(due(2));
  });

  it.each([0, 1, 14])(
    'beyond %i days of grace exactly so many times 24 hours later, also over a change of clocks',
    (days) => {
      const sinceUnix = Date.UTC(2026, 3, 4, 3) / 1000;
      expect(isOverdue(sinceUnix, days, sinceUnix + days * day - 1)).toBe(false);
      expect(isOverdue(sinceUnix, days, sinceUnix + days * day)).toBe(true);
      expect(isOverdue(null, days, sinceUnix + 365 * day)).toBe(false);
    },
  );
});

describe('when an instalment is due', () => {
  // Clocks change at midnight, at night, by half an hour, or never; the offsets reach from -11 to +14 hours.
  const timezones = [
    ...['Australia/Melbourne', 'Australia/Lord_Howe', 'Pacific/Auckland', 'Pacific/Chatham', 'Pacific/Kiritimati'],
    ...['Europe/London', 'America/Santiago', 'America/St_Johns', 'America/Los_Angeles', 'Pacific/Pago_Pago'],
    ...['Africa/Cairo', 'Asia/Beirut', 'UTC'],
  ];

  it('is noon of the local day, on every day of the year', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...timezones),
        fc.integer({ min: boughtUnix, max: boughtUnix + 3 * 365 * day }),
        fc.integer({ min: 0, max: 24 }),
        (timezone, unix, months) => {
          const noon = local(monthsLater(unix, months, timezone), timezone);
          const bought = local(unix, timezone);
          expect(noon.hour).toBe(12);
          expect(noon.day === bought.day || (noon.day < bought.day && noon.day >= 28)).toBe(true);
        },
      ),
    );
  });

  it('is between 6 and 18 of the local day, whatever the basket, and later than the one before', () => {
    fc.assert(
      fc.property(fc.constantFrom(...timezones), fc.nat(2 ** 30), fc.nat(3 * 365), (timezone, seed, days) => {
        const purchase = { amountMinor: 12_000, currency: 'AUD', nowUnix: boughtUnix + days * day, seed };
        const line = { timezone, termMonths: 12, expiresUnix: null };
        const planned = scheduleOf(line, { instalments: 12, fixedEndUnix: null }, purchase);
        for (const { dueUnix } of planned.slice(1)) {
          const { hour } = local(dueUnix, timezone);
          expect(hour >= 6 && hour < 18).toBe(true);
        }
        const dues = planned.map(({ dueUnix }) => dueUnix);
        expect(dues).toEqual(dues.toSorted((one, other) => one - other));
      }),
    );
  });
});
