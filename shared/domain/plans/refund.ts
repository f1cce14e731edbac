import type { ReturnedShare } from '../orders/refund.ts';
import { isOpen, isOpenStatus, type PlanRecord, withInstalment } from './plan.ts';

/** Cancels what is not paid: nothing is charged any more. */
export function cancelOpen(plan: PlanRecord): PlanRecord {
  const instalments = plan.instalments.map((one) => {
    const { status, retryUnix } = one;
    if (!isOpenStatus(status)) return one;
    return { ...one, status: 'cancelled' as const, retryUnix: null, cancelledFrom: { status, retryUnix } };
  });
  return { ...plan, instalments };
}

/** The plan of a refund that was refused: what was cancelled is owed as before. An earlier release did not write down what it was. */
export function reopenCancelled(plan: PlanRecord): PlanRecord {
  const instalments = plan.instalments.map(({ cancelledFrom, ...one }) =>
    one.status === 'cancelled' ? { ...one, ...(cancelledFrom ?? { status: 'planned' as const }) } : one,
  );
  return { ...plan, instalments };
}

/** Why an instalment is owed that was paid: a refund returned its charge, and then could not return the others. */
const returnedFailure = 'refunded';

/**
 * Makes an instalment owed again whose charge was returned. It is due from now on, and the member has to act: nobody is charged again
 * for what was just returned.
 */
export function returnInstalment(plan: PlanRecord, number: number, nowUnix: number): PlanRecord {
  return withInstalment(plan, number, {
    status: 'action_required',
    dueUnix: nowUnix,
    paidUnix: null,
    charge: null,
    failure: returnedFailure,
    retryUnix: null,
  });
}

/** Makes a share that was returned paid again as it was: the return has failed. The same plan if it is not owed any more. */
export function payReturned(plan: PlanRecord, { number, dueUnix, paidUnix, charge }: ReturnedShare): PlanRecord {
  const isOwed = plan.instalments.some((one) => one.number === number && isOpen(one));
  const paid = { status: 'paid', failure: null, retryUnix: null, dueUnix, paidUnix, charge } as const;
  return isOwed ? withInstalment(plan, number, paid) : plan;
}
