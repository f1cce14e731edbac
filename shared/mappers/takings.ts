import type { Takings as TakingsRecord } from '../domain/journal/takings.ts';
import { majorUnits } from '../domain/money.ts';
import type { Takings } from '../operations/schemas/takings.ts';

export function takingsResource({ salesMinor, refundsMinor, ...taken }: TakingsRecord): Takings {
  const { currency, kind, station, operator, orders } = taken;
  return {
    currency,
    kind,
    station,
    operator,
    sales: majorUnits(salesMinor, currency),
    refunds: majorUnits(refundsMinor, currency),
    net: majorUnits(salesMinor - refundsMinor, currency),
    orders,
  };
}
