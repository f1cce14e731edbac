import * as v from 'valibot';
import { problemTypes } from './authentication-problems.ts';
import { UnixSeconds } from './schemas/fields.ts';
import { Payment } from './schemas/payment.ts';
import { RefusedPhase } from './schemas/phase.ts';
import { RefusedSeats } from './schemas/refused-seats.ts';

const nullableText = v.nullable(v.string());

const ErrorDetail = v.strictObject({
  code: v.pipe(v.string(), v.description('The error code, for programs.')),
  message: v.pipe(v.string(), v.description('What is wrong and how to fix it, for people.')),
  param: v.pipe(
    nullableText,
    v.description('The parameter that caused the error; null if the error is not about one parameter.'),
  ),
});

/** The body of every error response. */
export const ErrorEnvelope = v.pipe(
  v.strictObject({
    error: v.pipe(
      v.strictObject({
        type: v.pipe(v.picklist(problemTypes), v.description('The category of the error.')),
        code: v.pipe(v.string(), v.description('The error code, for programs. Codes are stable.')),
        message: v.pipe(v.string(), v.description('What is wrong and how to fix it, for people.')),
        param: v.pipe(
          nullableText,
          v.description('The parameter that caused the error; null if the error is not about one parameter.'),
        ),
        request_id: v.pipe(
          v.string(),
          v.description('Identifies the request in the logs of the service. Also sent in the Request-Id header.'),
        ),
      }),
      v.description('The error; the first one if there are several.'),
    ),
    errors: v.optional(
      v.pipe(
        v.array(ErrorDetail),
        v.description('All errors of the request, including the first. Present only if there is more than one.'),
      ),
    ),
    payment: v.optional(Payment),
    seats: v.optional(RefusedSeats),
    phase: v.optional(RefusedPhase),
    available_from: v.optional(
      v.pipe(UnixSeconds, v.description('The earliest unix_start from which all events are kept, in Unix seconds.')),
    ),
  }),
  v.title('Error'),
  v.description('The body of every error response.'),
);
export type ErrorEnvelope = v.InferOutput<typeof ErrorEnvelope>;
