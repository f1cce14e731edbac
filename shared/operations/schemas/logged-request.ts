import * as v from 'valibot';
import { Count, field, Integer, resource, UnixSeconds } from './fields.ts';

export const LoggedRequest = resource('LoggedRequest', 'A call with an API key, and how it was answered.', {
  request_id: field(v.string(), 'The Request-Id header of the response.'),
  at: field(UnixSeconds, 'When the response was ready, in Unix seconds.'),
  operation_id: field(v.string(), 'The operation that was called, such as check-out-basket.'),
  key_id: field(v.string(), 'The id of the API key.'),
  status: field(Integer, 'The HTTP status of the response.'),
  error_code: field(v.nullable(v.string()), 'The code of the error; null for a success.'),
  duration_ms: field(
    Count,
    'How long the service worked on the response, in milliseconds; of a list that is sent in parts, until its first part.',
  ),
});
export type LoggedRequest = v.InferOutput<typeof LoggedRequest>;
