import type { ErrorEnvelope } from '../operations/error-envelope.ts';
import { type ProblemCode, problems } from '../operations/problems.ts';
import type { Payment } from '../operations/schemas/payment.ts';
import type { RefusedPhase } from '../operations/schemas/phase.ts';
import type { RefusedSeats } from '../operations/schemas/refused-seats.ts';

export interface ProblemDetail {
  readonly code: ProblemCode;
  readonly message: string;
  readonly param: string | null;
}

interface ProblemExtras {
  readonly retryAfterSeconds?: number | undefined;
  readonly payment?: Payment | undefined;
  readonly seats?: RefusedSeats | undefined;
  readonly phase?: RefusedPhase | undefined;
  readonly availableFrom?: number | undefined;
}

/** An error for the caller. Handlers and middlewares throw it; serialize-response turns it into the error envelope. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly details: readonly [ProblemDetail, ...ProblemDetail[]];
  /** After this many whole seconds the same request may succeed. */
  readonly retryAfterSeconds: number | undefined;

  /** The payment that the buyer has to act on. */
  readonly payment: Payment | undefined;
  /** The seats that the error is about. */
  readonly seats: RefusedSeats | undefined;
  /** When a price is sold next, or what the buyer lacks. */
  readonly phase: RefusedPhase | undefined;
  /** The Unix time from which on everything is kept. */
  readonly availableFrom: number | undefined;

  /** Reports all errors at once, so the caller can fix them in one go. */
  constructor(
    details: readonly [ProblemDetail, ...ProblemDetail[]],
    { retryAfterSeconds, payment, seats, phase, availableFrom }: ProblemExtras = {},
  ) {
    super(details[0].message);
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
    this.payment = payment;
    this.seats = seats;
    this.phase = phase;
    this.availableFrom = availableFrom;
  }

  get code(): ProblemCode {
    return this.details[0].code;
  }

  get status(): number {
    return problems[this.code].status;
  }
}

export function problem(code: ProblemCode, message: string, options: { param?: string } & ProblemExtras = {}): Problem {
  return new Problem([{ code, message, param: options.param ?? null }], options);
}

export function errorEnvelope(
  { details, payment, seats, phase, availableFrom }: Problem,
  requestId: string,
): ErrorEnvelope {
  const [first] = details;
  const error = { type: problems[first.code].type, ...first, request_id: requestId };
  return {
    error,
    ...(details.length > 1 && { errors: [...details] }),
    ...(payment !== undefined && { payment }),
    ...(seats !== undefined && { seats }),
    ...(phase !== undefined && { phase }),
    ...(availableFrom !== undefined && { available_from: availableFrom }),
  };
}

/** A reference in the body that matches nothing. An object of another organisation counts as missing. */
export function referenceMissing(what: string, param: string): Problem {
  return problem('resource_missing', `No such ${what}. Check the parameter ${param}.`, { param });
}

/** A missing object and an object of another organisation get the same response, so a caller learns nothing about others. */
export function notFound(what: string): Problem {
  return problem('resource_not_found', `No such ${what}.`);
}
