import { addressHash } from './address-hash.ts';
import { begun, type EventState } from './event-state.ts';
import { Explained } from './explained.ts';
import { GatelineError } from './gateline.ts';
import { backOffMs, claim, ended, isDone, type MailState, refused } from './mail-state.ts';
import type { Suppressed } from './mails/mark-customer.ts';
import type { Announced, Office, Planned } from './mails/planned.ts';
import { hasMails, planMails, suppressedType } from './mails/plans.ts';
import type { Templates } from './render.ts';
import { NeverSent, type Sender } from './send/sender.ts';
import type { Open, Store } from './store/store.ts';
import { type Headers, isFromGateline } from './verify-webhook.ts';

/** How the organisation's mails look now. */
export interface Style {
  readonly office: Office;
  readonly templates: Templates;
  readonly organisation: string;
  readonly colour: string;
}

export interface MailerOptions {
  readonly secrets: () => readonly string[];
  readonly store: Store;
  readonly sender: Sender;
  readonly style: () => Promise<Style>;
  readonly from: string;
  /** Of the hashes that stand for addresses. Under another key, nobody has had a mail, and no address has bounced. */
  readonly addressKey: string;
  /** Does some work when it is the turn of a mail, at the provider's rate. */
  readonly turn: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** A line has ids, numbers and reasons, and never an address, a name or a link. */
  readonly log: (line: object) => void;
  readonly now?: () => number;
}

/** Of an erased person only ids are left. Somebody who was no customer, such as the buyer of an imported order, has no `user_id`. */
interface Erased {
  readonly user_id: number | null;
  readonly order_ids: readonly number[];
  readonly membership_member_ids: readonly number[];
}

const maxFailures = 12;
const neverMs = Number.MAX_SAFE_INTEGER;

/** Turns events into mails, each once for an event and a person. */
export class Mailer {
  readonly #options: MailerOptions;
  readonly #now: () => number;

  constructor(options: MailerOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** A webhook: the status of the response, and the event to work on. Only 200 acknowledges; all else is sent again. */
  async receive(headers: Headers, body: string): Promise<{ readonly status: number; readonly event?: string }> {
    // Signatures have the time of the machine, also where that of the run is ahead.
    if (!isFromGateline(this.#options.secrets(), headers, body, Date.now())) return { status: 400 };
    const event: Announced<never> = JSON.parse(body);
    if (event.type === 'customer.erased') await this.#forget(event);
    return hasMails(event) && (await this.accept(event)) ? { status: 200, event: event.id } : { status: 200 };
  }

  /** Keeps an event before it is acknowledged. False if all its mails were sent already. */
  async accept(event: Announced<unknown>): Promise<boolean> {
    const known = await this.#read(event.id);
    if (known !== undefined) return known.state.body !== null;
    await this.#write(event.id, begun(event), 0, { list: 'event', dueMs: this.#now() });
    return true;
  }

  /**
   * Sends the mails of an event, page by page, until `untilMs`. Returns when to go on; undefined if nothing is left to do. It may be called
   * twice at once, and after a crash at any line: each mail is claimed before it is sent.
   */
  async work(id: string, untilMs = neverMs): Promise<number | undefined> {
    for (;;) {
      const found = await this.#read(id);
      if (found === undefined || found.state.body === null) return undefined;
      const { state, open } = await this.#step(id, found.state);
      // Somebody else works on it too. It is open, and is looked at again.
      if (!(await this.#write(id, state, found.version, open))) return this.#now() + 60_000;
      if (open?.list !== 'event') return undefined;
      if (open.dueMs > this.#now() || this.#now() >= untilMs) return open.dueMs;
    }
  }

  /** Sends a page of mails. `open` says when to go on, or that the rest has failed; undefined if everything is done. */
  async #step(id: string, before: EventState): Promise<{ readonly state: EventState; readonly open?: Open }> {
    try {
      const style = await this.#options.style();
      const { mails, next } = await planMails(JSON.parse(before.body ?? ''), style.office, before.cursor);
      const results = await Promise.all(
        [...new Map(mails.map((mail) => [this.#nameOf(id, mail), mail]))].map(([name, mail]) =>
          this.#inTurn(name, () => this.#deliver(name, mail, style, before.resentMs)),
        ),
      );
      const later = [before.againMs, ...results].filter((one) => typeof one === 'number');
      const reasons = results.filter((one) => typeof one === 'string');
      const state = {
        ...before,
        cursor: next,
        looked: before.looked + mails.length,
        failed: before.failed + reasons.length,
        reason: reasons.at(-1) ?? before.reason,
        againMs: later.length > 0 ? Math.min(...later) : null,
        failures: 0,
      };
      this.#options.log({ event: id, type: state.type, looked: state.looked, failed: state.failed });
      return this.#after(state);
    } catch (error) {
      const failures = before.failures + 1;
      const reason = reasonOf(error);
      this.#options.log({ event: id, type: before.type, failures, reason });
      const waitMs = error instanceof GatelineError && error.waitMs > 0 ? error.waitMs : backOffMs(failures);
      const list = failures >= maxFailures ? 'failed' : 'event';
      return { state: { ...before, failures, reason }, open: { list, dueMs: this.#now() + waitMs } };
    }
  }

  #after(state: EventState): { readonly state: EventState; readonly open?: Open } {
    const { cursor, againMs, failed } = state;
    if (cursor !== null) return { state, open: { list: 'event', dueMs: this.#now() } };
    // A mail has to wait: then all pages are read again, and what was sent is passed over.
    if (againMs !== null)
      return { state: { ...state, looked: 0, failed: 0, againMs: null }, open: { list: 'event', dueMs: againMs } };
    return failed > 0 ? { state, open: { list: 'failed', dueMs: this.#now() } } : { state: { ...state, body: null } };
  }

  /** What was sent takes no turn of the provider: all pages are read again because of one mail that waits. */
  async #inTurn<Result>(name: string, work: () => Promise<Result>): Promise<Result | undefined> {
    const known = await this.#mail(name);
    return known !== undefined && isDone(known.state) ? undefined : this.#options.turn(work);
  }

  /** Sends one mail, if nobody has. Returns when to try again, why it failed for good, or undefined if nothing is left to do. */
  async #deliver(
    name: string,
    { kind, to, facts }: Planned,
    style: Style,
    resentMs: number,
  ): Promise<number | string | undefined> {
    const { store, sender, from } = this.#options;
    const known = await this.#mail(name);
    const claimed = claim(known?.state, kind, this.#now(), resentMs);
    if (claimed.outcome === 'done') return undefined;
    if (claimed.outcome === 'later') return claimed.dueMs;
    const version = known?.version ?? 0;
    const note = (next: MailState, at: number) => store.write({ name, value: JSON.stringify(next) }, at);
    if (claimed.outcome === 'failed') {
      if (claimed.state !== undefined) await note(claimed.state, version);
      return claimed.state?.reason ?? known?.state.reason ?? 'failed';
    }
    if (!(await note(claimed.state, version))) return this.#now() + 60_000;
    const noteEnd = (next: MailState) => note(next, version + 1);
    if (await this.#isSuppressed(to)) {
      await noteEnd(ended(claimed.state, 'suppressed', this.#now()));
      return undefined;
    }
    try {
      const { organisation, colour, templates } = style;
      const mail = templates.render(kind, { ...facts, organisation, colour });
      await sender.send({ from, to, ...mail, messageId: `${this.#hash(name)}@${from.replace(/.*@|>/g, '')}` });
    } catch (error) {
      const next = refused(claimed.state, reasonOf(error), error instanceof NeverSent, this.#now());
      await noteEnd(next);
      this.#options.log({ mail: name, kind, state: next.state, reason: next.reason });
      return next.state === 'failed' ? (next.reason ?? '') : next.dueMs;
    }
    await noteEnd(ended(claimed.state, 'sent', this.#now()));
    return undefined;
  }

  /**
   * The provider says that this address does not exist, or that the person does not want our mails: nobody writes to it again. The customer is
   * marked by an event of our own, so it is tried again while the API does not answer, and listed if it fails.
   */
  async suppress(address: string, reason: Suppressed['reason']): Promise<void> {
    const hash = this.#hash(address);
    const name = `suppressed/${hash}`;
    const atMs = this.#now();
    if ((await this.#options.store.read(name)) === undefined)
      await this.#options.store.write({ name, value: JSON.stringify({ reason, atMs }) }, 0);
    const data: Suppressed = { address, reason, at: new Date(atMs).toISOString() };
    await this.accept({ id: `${reason}_${hash}`, type: suppressedType, data });
    this.#options.log({ suppressed: hash, reason });
  }

  async #isSuppressed(address: string): Promise<boolean> {
    return (await this.#options.store.read(`suppressed/${this.#hash(address)}`)) !== undefined;
  }

  /** The events that wait or are worked on, or those with failed mails. */
  async list(list: Open['list'], limit = 1_000): Promise<readonly (EventState & { readonly id: string })[]> {
    const names = await this.#options.store.open(list, neverMs, limit);
    const found = await Promise.all(names.map((name) => this.#read(name.slice('event/'.length))));
    return found.flatMap((one) => (one === undefined ? [] : [one.state]));
  }

  /** The events that are due for this time, the longest first. */
  async due(limit: number, forMs = 0): Promise<readonly string[]> {
    const names = await this.#options.store.open('event', this.#now() - forMs, limit);
    return names.map((name) => name.slice('event/'.length));
  }

  /** Sends what failed of an event once more. False if nothing has failed. */
  async resend(id: string): Promise<boolean> {
    const found = await this.#read(id);
    if (found === undefined || found.state.body === null) return false;
    const again = { cursor: null, looked: 0, failed: 0, againMs: null, failures: 0, resentMs: this.#now() + 1 };
    return this.#write(id, { ...found.state, ...again }, found.version, { list: 'event', dueMs: this.#now() });
  }

  /** Somebody was erased: what waits to be sent forgets them. What was sent has no address. */
  async #forget({ data }: Announced<Erased>): Promise<void> {
    const ids = [data.user_id, ...data.order_ids, ...data.membership_member_ids]
      .flatMap((one) => one ?? [])
      .map(String);
    for (const list of ['event', 'failed'] as const)
      for (const { id, body, type } of await this.list(list)) {
        // It has an address and no id. Whoever was erased is not found by it any more, so it ends.
        if (type === suppressedType) await this.resend(id);
        else if (ids.some((one) => body?.includes(one))) await this.#drop(id);
      }
  }

  async #drop(id: string): Promise<void> {
    const found = await this.#read(id);
    if (found !== undefined) await this.#write(id, { ...found.state, body: null }, found.version);
  }

  #hash(text: string): string {
    return addressHash(this.#options.addressKey, text);
  }

  #nameOf(event: string, { kind, to }: Planned): string {
    return `mail/${event}/${kind}/${this.#hash(to)}`;
  }

  async #mail(name: string) {
    const row = await this.#options.store.read(name);
    if (row === undefined) return undefined;
    const state: MailState = JSON.parse(row.value);
    return { version: row.version, state };
  }

  async #read(id: string) {
    const row = await this.#options.store.read(`event/${id}`);
    if (row === undefined) return undefined;
    const state: EventState = JSON.parse(row.value);
    return { version: row.version, state: { id, ...state } };
  }

  #write(id: string, state: EventState, known: number, open?: Open): Promise<boolean> {
    return this.#options.store.write({ name: `event/${id}`, value: JSON.stringify(state), open }, known);
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Explained ? error.message : `unexpected ${error instanceof Error ? error.name : 'error'}`;
