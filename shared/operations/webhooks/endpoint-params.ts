import * as v from 'valibot';
import { field } from '../schemas/fields.ts';

/** The path parameter of all operations on one endpoint. */
export const endpointParams = v.strictObject({
  webhook_endpoint_id: field(v.string(), 'The webhook_endpoint_id of the endpoint.'),
});

export const deliveryParams = v.strictObject({
  ...endpointParams.entries,
  delivery_id: field(v.string(), 'The delivery_id of the delivery.'),
});
