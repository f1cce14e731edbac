import { IdempotencyKey } from '../operations/schemas/idempotency-key.ts';
import { inlineSchema, type Json } from './components.ts';

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `A unique value of your choice, in printable ASCII. If you repeat a request with the same key within 24 hours, it is not
executed again but returns the first response, with the header Idempotency-Replayed. Responses with 401, 403, 409, 429 and 5xx and
payment_action_required are not stored, so you can retry them with the same key.`,
  schema: inlineSchema(IdempotencyKey, {}),
};

const ifMatch: Json = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: `The \`version\` of the object that you have read, in double quotes. If the object has changed since, the response is 412 and
nothing is changed: a change by somebody else is not lost. Without the header, or with \`*\`, the change is made in any case.`,
  schema: { type: 'string', pattern: '^("[0-9]{1,15}"|\\*)$' },
  example: '"1"',
};

const ifNoneMatch: Json = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: `The ETag of an earlier response, or several of them. If one is still current, the response is 304 without a body. Only with a
storefront token. Browsers send it themselves.`,
  schema: { type: 'string' },
};

/** The request headers that operations share. */
export const headerParameters = { IdempotencyKey: idempotencyKey, IfMatch: ifMatch, IfNoneMatch: ifNoneMatch };
