import * as v from 'valibot';
import { countersAccess } from '../../data/counters/access.ts';
import { pricesAccess } from '../../data/prices/access.ts';
import { defineOperation } from '../operation.ts';
import { EventSettlement } from '../schemas/event-settlement.ts';
import { eventPath } from './event-path.ts';
import { timeRangeOf } from './time-range.ts';

export const eventSettlement = defineOperation({
  id: 'event-settlement',
  resource: 'events',
  summary: 'Settle the money of an event',
  description: `Returns what became of the money of orders that were sold here, by price and in total, equal to the lines of its tickets in the
journal: memberships that were sold with them are not in it. It counts whole days in the
event's time zone: every day of which a second is after unix_start and before unix_end. A sale counts on its day and a refund on its own,
so the figures of days that are over stay as they are. Without a range it equals the sales summary of these orders: net − kept is
gross_sales, and tickets are tickets. Imported orders and orders whose face prices are all 0 are not in it (list-journal-entries has no \`sale\` of them), nor are the fees and payouts of the payment
provider.`,
  method: 'GET',
  paths: ['/v1/events/{event_id}/settlement'],
  auth: { kind: 'metered', scope: 'finance' },
  input: { params: eventPath, query: v.strictObject(timeRangeOf('Only count the days that contain a second')) },
  output: { schema: EventSettlement },
  effects: { access: [pricesAccess.readPricedEvent, countersAccess.readSettlement] },
});
