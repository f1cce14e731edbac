import * as v from 'valibot';
import { defaultRatePerSecond } from '../../domain/webhooks/endpoint.ts';
import { allEvents } from '../../domain/webhooks/subscriptions.ts';
import { field } from '../schemas/fields.ts';
import { text, UrlText } from '../schemas/text.ts';
import { RatePerSecond, Subscription } from '../schemas/webhook-endpoint.ts';

/** The fields of an endpoint that a client sets, on creation and later. */
export const endpointFields = {
  url: field(
    UrlText,
    'The URL that receives events. It must use https, port 443 or a port above 1023, and a public host, without a user name or password. It is stored in normalised form.',
  ),
  types: field(
    v.pipe(v.array(Subscription), v.minLength(1), v.maxLength(20)),
    `The events to send: types, families such as order.*, or ${allEvents} for all events, including types that are added later.`,
  ),
  description: field(v.nullable(text(500)), 'A note for your own use.'),
  max_rate_per_second: field(
    RatePerSecond,
    `The maximum number of deliveries per second; further deliveries wait. The default is ${defaultRatePerSecond}.`,
  ),
};
