import type { ErrorEnvelope } from '../operations/error-envelope.ts';
import { type ProblemCode, problems } from '../operations/problems.ts';

export interface ProblemDetail {
  readonly code: ProblemCode;
  readonly message: string;
  readonly param: string | null;
}

/** Thrown anywhere behind the door; becomes the error envelope in one place. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly details: readonly [ProblemDetail, ...ProblemDetail[]];
  /** Whole seconds after which the same request may succeed. */
  readonly retryAfterSeconds: number | undefined;

  /** Where several things are wrong all are reported, so that the caller can mend them in one go. */
  constructor(details: readonly [ProblemDetail, ...ProblemDetail[]], retryAfterSeconds?: number) {
    super(details[0].message);
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  get code(): ProblemCode {
    return this.details[0].code;
  }

  get status(): number {
    return problems[this.code].status;
  }
}

export function problem(
  code: ProblemCode,
  message: string,
  options: { param?: string; retryAfterSeconds?: number } = {},
): Problem {
  return new Problem([{ code, message, param: options.param ?? null }], options.retryAfterSeconds);
}

export function errorEnvelope({ details }: Problem, requestId: string): ErrorEnvelope {
  const [first] = details;
  const error = { type: problems[first.code].type, ...first, request_id: requestId };
  return details.length === 1 ? { error } : { error, errors: [...details] };
}

/** A reference in the body. Here too, missing and another organisation's look the same. */
export function referenceMissing(what: string, param: string): Problem {
  return problem('resource_missing', `The parameter ${param} names no ${what} of this organisation.`, { param });
}

/** Missing and another organisation's look the same, so that nobody can learn what others have. */
export function notFound(what: string): Problem {
  return problem('resource_not_found', `There is no such ${what} in this organisation.`);
}
