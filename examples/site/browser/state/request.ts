import type { NextStep } from '../resources.ts';
import type { RefusedSeats } from '../seats/resources.ts';

/** The API has refused a request, or could not be reached (`code` is `offline`). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly retryAfterSeconds: number | undefined;
  /** What the buyer has to do, with the code `payment_action_required`. */
  readonly payment: NextStep | undefined;
  /** The seats that the error is about. */
  readonly seats: RefusedSeats | undefined;
  /** Everything that is wrong with the request, and with which parameter. */
  readonly problems: readonly Problem[];

  constructor(status: number, answer: ErrorAnswer, retryAfterSeconds?: number) {
    super(answer.error.message);
    this.status = status;
    this.code = answer.error.code;
    this.payment = answer.payment;
    this.seats = answer.seats;
    this.problems = answer.errors ?? [answer.error];
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

interface Problem {
  readonly code: string;
  readonly message: string;
  readonly param?: string | null;
}

interface ErrorAnswer {
  readonly error: Problem;
  readonly errors?: readonly Problem[];
  readonly payment?: NextStep;
  readonly seats?: RefusedSeats;
}

/** The answer of a response, or its error. */
export async function answerOf<Answer>(response: Response): Promise<Answer> {
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok) return answer as Answer;
  const unreadable = { error: { code: 'unreadable', message: `The service answered ${response.status}.` } };
  const retryAfterSeconds = Number(response.headers.get('Retry-After')) || undefined;
  throw new ApiError(response.status, isErrorAnswer(answer) ? answer : unreadable, retryAfterSeconds);
}

export async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch {
    throw new ApiError(0, { error: { code: 'offline', message: 'The service could not be reached.' } });
  }
}

function isErrorAnswer(answer: unknown): answer is ErrorAnswer {
  return typeof answer === 'object' && answer !== null && 'error' in answer;
}

/** Repeats a request whose outcome is not known, or which the service asks to send later. */
export async function retried<Answer>(request: () => Promise<Answer>, attempts = 6): Promise<Answer> {
  try {
    return await request();
  } catch (error) {
    if (attempts <= 1 || !mayHelp(error)) throw error;
    await new Promise((resolve) => setTimeout(resolve, (error.retryAfterSeconds ?? 1) * 1000));
    return retried(request, attempts - 1);
  }
}

const laterCodes = ['checkout_in_progress', 'idempotency_in_progress', 'offline'];

/** Whether the same request may succeed later. */
export function mayHelp(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  const { status, code, retryAfterSeconds = 0 } = error;
  return retryAfterSeconds <= 5 && (status >= 500 || status === 429 || laterCodes.includes(code));
}
