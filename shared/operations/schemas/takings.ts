import * as v from 'valibot';
import { receivedKinds } from '../../domain/orders/tender.ts';
import { Count, field, Money, resource } from './fields.ts';

export const Takings = resource('Takings', 'What one operator took and returned at one station in one way.', {
  currency: field(v.string(), 'ISO 4217 code of the currency.'),
  kind: field(v.picklist(receivedKinds), 'How the money was taken or returned.'),
  station: field(v.nullable(v.string()), 'The counter or the till; null if the requests named none.'),
  operator: field(v.nullable(v.string()), 'The member of staff; null if the requests named none.'),
  sales: field(Money, 'What was taken: sales, and payments of invoices and instalments.'),
  refunds: field(Money, 'What was returned.'),
  net: field(Money, 'sales less refunds: what the till should have more.'),
  orders: field(Count, 'How many orders it is about.'),
});
export type Takings = v.InferOutput<typeof Takings>;
