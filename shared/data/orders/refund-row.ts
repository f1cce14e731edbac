import * as v from 'valibot';
import { given } from '../../domain/given.ts';
import type { RefundRecord } from '../../domain/orders/refund.ts';
import { type ReturnedBy, receivedKinds } from '../../domain/orders/tender.ts';
import { carried, row, storedEnum } from '../table/row.ts';
import { parsedHandling, StoredHandling, storedHandling } from './tender-row.ts';

/** A refund of an order that the provider did not charge, in the row of the order. */
export const StoredRefund = row({
  n: v.number(),
  sum: v.number(),
  ids: v.array(v.number()),
  mems: v.optional(v.array(v.number()), []),
  at: v.number(),
  /** Only stored of one whose money somebody still has to hand over. Of a state that is unknown here, nothing is handed over. */
  st: v.optional(storedEnum(['pending', 'done'], 'done'), 'done'),
  keep: v.optional(v.number()),
  kept: v.optional(v.number()),
  gone: v.optional(v.number()),
  tend: v.optional(row({ k: storedEnum(receivedKinds, 'other'), ...StoredHandling })),
  why: v.optional(v.string()),
});

export function parsedRefund(stored: v.InferOutput<typeof StoredRefund>): RefundRecord {
  const { n, sum, ids, mems, at, st, keep, kept, gone, tend, why = null } = stored;
  return {
    ...carried(stored),
    number: n,
    amountMinor: sum,
    ticketIds: ids,
    memberIds: mems,
    state: st,
    startedUnix: at,
    ...(st === 'pending' && { awaitsReturn: true }),
    ...(keep !== undefined && { keepMinor: keep }),
    ...(kept !== undefined && { keptMinor: kept }),
    ...(gone !== undefined && { writtenOffMinor: gone }),
    ...(tend !== undefined && { returnedBy: { ...carried(tend), kind: tend.k, ...parsedHandling(tend) } }),
    reason: why,
  };
}

export function storedRefund(refund: RefundRecord): Record<string, unknown> {
  const { ticketIds, memberIds, state, returnedBy } = refund;
  const stored: v.InferInput<typeof StoredRefund> = {
    n: refund.number,
    sum: refund.amountMinor,
    ids: [...ticketIds],
    mems: memberIds.length > 0 ? [...memberIds] : undefined,
    at: refund.startedUnix,
    st: state === 'pending' ? state : undefined,
    keep: refund.keepMinor,
    kept: refund.keptMinor,
    gone: refund.writtenOffMinor,
    tend: returnedBy && storedReturn(returnedBy),
    why: refund.reason ?? undefined,
  };
  return { ...carried(refund), ...given(stored) };
}

const storedReturn = (returnedBy: ReturnedBy) => ({
  ...carried(returnedBy),
  k: returnedBy.kind,
  ...storedHandling(returnedBy),
});
