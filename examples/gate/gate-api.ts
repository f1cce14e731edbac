export interface EventTicket {
  readonly barcode_sha256: string;
  readonly ticket_status_id: number;
  /** Absent in tickets that were kept before the service knew transfers. */
  readonly transferred?: boolean;
  readonly price_category_id: number | null;
  readonly expires: number | null;
}

interface TicketPage {
  readonly next_cursor: string | null;
  readonly data: readonly EventTicket[];
}

export interface RecordedScan {
  readonly result: string;
}

const pageTimeoutMs = 30_000;

/** The service refused this request for good: repeating it does not help, and the next request may succeed. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** The service did not respond, asks to be asked later, or does not know the token or the event: what waits must go on waiting. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** Faults of the gate's settings. Somebody corrects them, and no scan may be lost until then. */
const settingsStatuses: readonly number[] = [401, 403, 404];

/** The two operations that a gate token may call. */
export class GateApi {
  readonly #url: string;
  readonly #token: string;
  readonly #deviceUnix: () => number;
  /** How far the service's clock is ahead of the device's, by its last answer. A proxy's page has the time of somebody else. */
  aheadSeconds = 0;

  constructor(url: string, token: string, deviceUnix: () => number) {
    this.#url = url.replace(/\/$/, '');
    this.#token = token;
    this.#deviceUnix = deviceUnix;
  }

  /** The time of the service. */
  nowUnix(): number {
    return this.#deviceUnix() + this.aheadSeconds;
  }

  tickets(path: string): Promise<TicketPage> {
    return this.#call<TicketPage>(path, {}, pageTimeoutMs);
  }

  recordScan(path: string, body: object, timeoutMs: number): Promise<RecordedScan> {
    return this.#call<RecordedScan>(path, { method: 'POST', body: JSON.stringify(body) }, timeoutMs);
  }

  async #call<Answer>(path: string, init: { method?: string; body?: string }, timeoutMs: number): Promise<Answer> {
    const { status, text, date } = await this.#fetch(path, init, timeoutMs);
    if (status === 429 || status >= 500) throw new Unreachable(`The service answered ${status}.`);
    if (settingsStatuses.includes(status)) throw new Unreachable(`The service answered ${status}: ${reasonIn(text)}`);
    if (status >= 400) throw new Refused(reasonIn(text));
    const answer = parsed<Answer>(text);
    const answeredUnix = Date.parse(date ?? '') / 1000;
    if (Number.isFinite(answeredUnix)) this.aheadSeconds = answeredUnix - this.#deviceUnix();
    return answer;
  }

  async #fetch(path: string, init: { method?: string; body?: string }, timeoutMs: number) {
    try {
      const response = await fetch(`${this.#url}${path}`, {
        ...init,
        headers: { Authorization: `Bearer ${this.#token}`, 'Content-Type': 'application/json' },
        signal: AbortSignal.timeout(timeoutMs),
      });
      return { status: response.status, text: await response.text(), date: response.headers.get('Date') };
    } catch (error) {
      throw new Unreachable('The service did not respond.', { cause: error });
    }
  }
}

/** The answer of the service. The sign-in page of a network is none. */
function parsed<Answer>(text: string): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch (error) {
    throw new Unreachable('Something else than the service answered.', { cause: error });
  }
}

/** The message of an error of the service, or the text itself. */
function reasonIn(text: string): string {
  try {
    return (JSON.parse(text) as { error: { message: string } }).error.message;
  } catch {
    return text;
  }
}
