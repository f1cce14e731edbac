import * as v from 'valibot';
import { usualRatePerSecond } from '../../domain/webhooks/endpoint.ts';
import { everything } from '../../domain/webhooks/subscriptions.ts';
import { field } from '../schemas/fields.ts';
import { RatePerSecond, Subscription } from '../schemas/webhook-endpoint.ts';

/** What can be said about an endpoint, when it is created and later. */
export const endpointFields = {
  url: field(
    v.string(),
    'Where events are posted to: https, without a user name or password, and not on a private network. Shown in its normal form.',
  ),
  types: field(
    v.pipe(v.array(Subscription), v.minLength(1), v.maxLength(20)),
    `What to send: types of event, families such as order.*, or ${everything} for everything, also types yet to come.`,
  ),
  description: field(v.nullable(v.pipe(v.string(), v.minLength(1), v.maxLength(500))), 'A note of your own.'),
  max_rate_per_second: field(
    RatePerSecond,
    `The most deliveries to start in a second; what is more waits in line. Usually ${usualRatePerSecond}.`,
  ),
};
