import type { PricedEvent } from '../data/prices/read.ts';
import { netMinor, nothingSettled, type Settled, type Settlement, totalSettled } from '../domain/journal/settlement.ts';
import { majorUnits } from '../domain/money.ts';
import type { EventSettlement } from '../operations/schemas/event-settlement.ts';

export function eventSettlementResource({ event, prices }: PricedEvent, settlement: Settlement): EventSettlement {
  const { currency } = event;
  return {
    event_id: String(event.eventId),
    currency,
    prices: prices.map((price) => ({
      price_id: price.priceId,
      price_title: price.title,
      ...settledFields(settlement.get(price.index) ?? nothingSettled, currency),
    })),
    total: settledFields(totalSettled(settlement), currency),
  };
}

function settledFields(settled: Settled, currency: string): EventSettlement['total'] {
  const money = (minor: number): number => majorUnits(minor, currency);
  return {
    gross: money(settled.grossMinor),
    discounts: money(settled.discountsMinor),
    fees: money(settled.feesMinor),
    tax: money(settled.taxMinor),
    refunds: money(settled.refundsMinor),
    kept: money(settled.keptMinor + settled.withheldMinor),
    net: money(netMinor(settled)),
    tickets: settled.tickets,
  };
}
