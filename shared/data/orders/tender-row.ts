import * as v from 'valibot';
import { given } from '../../domain/given.ts';
import type { OrderRecord } from '../../domain/orders/order.ts';
import {
  type HandledBy,
  type OrderPayment,
  receivedKinds,
  type Tender,
  tenderKinds,
} from '../../domain/orders/tender.ts';
import { carried, openEnum, row, storedEnum } from '../table/row.ts';

const text = v.optional(v.string());
/** Who handled it: a reference, where (the station) and by whom (the operator). Names are short, as those of an order's row. */
export const StoredHandling = { ref: text, at: text, by: text };

/** Of a kind that is unknown here nothing counts as received. */
const StoredTender = row({
  k: storedEnum(tenderKinds, 'complimentary'),
  ...StoredHandling,
  why: text,
  due: v.optional(v.number()),
  when: text,
});

/** Nothing decides by the tender of an entry of the journal, so one of a later release is shown as it is. */
export const EnteredTender = v.object({ k: openEnum<Tender['kind']>(), ...StoredHandling });

export function storedTender(tender: Tender): v.InferInput<typeof StoredTender> {
  return {
    ...carried(tender),
    k: tender.kind,
    ...storedHandling(tender),
    ...given({ why: tender.reason, due: tender.dueUnix, when: tender.valid }),
  };
}

type Stored = v.InferOutput<typeof StoredTender>;
type Entered = Omit<Stored, 'why' | 'due' | 'when'> & Partial<Pick<Stored, 'why' | 'due' | 'when'>>;

export function parsedTender(stored: Entered): Tender {
  const { k: kind, why: reason, due: dueUnix, when } = stored;
  // Whatever a later release may say here, the tickets are not valid at once.
  const valid = when === undefined ? undefined : ('when_paid' as const);
  return { ...carried(stored), kind, ...parsedHandling(stored), ...given({ reason, dueUnix, valid }) };
}

/** Of a kind that is unknown here, it was received in another way. */
const StoredPayment = row({
  n: v.number(),
  k: storedEnum(receivedKinds, 'other'),
  sum: v.number(),
  on: v.number(),
  ...StoredHandling,
});

function storedPayment(payment: OrderPayment): v.InferInput<typeof StoredPayment> {
  const { number, kind, amountMinor, atUnix } = payment;
  return { ...carried(payment), n: number, k: kind, sum: amountMinor, on: atUnix, ...storedHandling(payment) };
}

function parsedPayment(stored: v.InferOutput<typeof StoredPayment>): OrderPayment {
  const { n: number, k: kind, sum: amountMinor, on: atUnix } = stored;
  return { ...carried(stored), number, kind, amountMinor, atUnix, ...parsedHandling(stored) };
}

/** What the row of an order has of it. */
export const tenderEntries = { tend: v.optional(StoredTender), pays: v.optional(v.array(StoredPayment)) };

interface StoredMoney {
  readonly tend?: Stored | undefined;
  readonly pays?: readonly v.InferOutput<typeof StoredPayment>[] | undefined;
}

/** What the row of an order says of what is paid without the payment provider. */
export function tenderFields({ tend, pays }: StoredMoney): Pick<OrderRecord, 'tender' | 'payments'> {
  return given({ tender: tend && parsedTender(tend), payments: pays?.map(parsedPayment) });
}

export function tenderAttributes({ tender, payments }: Pick<OrderRecord, 'tender' | 'payments'>): object {
  return given({ tend: tender && storedTender(tender), pays: payments?.map(storedPayment) });
}

export function storedHandling({ reference, station, operator }: HandledBy) {
  return given({ ref: reference ?? undefined, at: station ?? undefined, by: operator ?? undefined });
}

export function parsedHandling({
  ref,
  at,
  by,
}: Pick<v.InferOutput<typeof StoredTender>, 'ref' | 'at' | 'by'>): HandledBy {
  return { reference: ref ?? null, station: at ?? null, operator: by ?? null };
}
