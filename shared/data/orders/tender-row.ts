import * as v from 'valibot';
import { given } from '../../domain/given.ts';
import { type HandledBy, type Tender, tenderKinds } from '../../domain/orders/tender.ts';
import { carried, openEnum, row, storedEnum } from '../table/row.ts';

const text = v.optional(v.string());
/** Who handled it: a reference, where (the station) and by whom (the operator). Names are short, as those of an order's row. */
const handled = { ref: text, at: text, by: text };

/** Of a kind that is unknown here nothing counts as received. */
export const StoredTender = row({ k: storedEnum(tenderKinds, 'complimentary'), ...handled, why: text });

/** Nothing decides by the tender of an entry of the journal, so one of a later release is shown as it is. */
export const EnteredTender = v.object({ k: openEnum<Tender['kind']>(), ...handled });

export function storedTender(tender: Tender): v.InferInput<typeof StoredTender> {
  return { ...carried(tender), k: tender.kind, ...storedHandling(tender), ...given({ why: tender.reason }) };
}

type Stored = v.InferOutput<typeof StoredTender>;
type Entered = Omit<Stored, 'why'> & Partial<Pick<Stored, 'why'>>;

export function parsedTender(stored: Entered): Tender {
  const { k: kind, why: reason } = stored;
  return { ...carried(stored), kind, ...parsedHandling(stored), ...given({ reason }) };
}

function storedHandling({ reference, station, operator }: HandledBy) {
  return given({ ref: reference ?? undefined, at: station ?? undefined, by: operator ?? undefined });
}

function parsedHandling({ ref, at, by }: Pick<v.InferOutput<typeof StoredTender>, 'ref' | 'at' | 'by'>): HandledBy {
  return { reference: ref ?? null, station: at ?? null, operator: by ?? null };
}
