import type { Table } from '../../../shared/data/table/table.ts';
import type { PaymentProvider } from '../../../shared/payments/provider.ts';
import type { TestCheckoutDeps } from '../baskets.ts';
import { openTestTable } from '../table.ts';

const crashed = Symbol('died');

/**
 * A process that crashes at a given outside call: before the call is sent, or after it was carried out and before its
 * response arrives. From then on no call returns, as in a process that no longer exists.
 */
export class CrashPoint {
  calls = 0;
  readonly #at: number;
  readonly #when: 'before' | 'after';
  readonly #crashing: Promise<typeof crashed>;
  #crash: (symbol: typeof crashed) => void = () => undefined;
  #hasCrashed = false;

  constructor(at: number, when: 'before' | 'after') {
    this.#at = at;
    this.#when = when;
    this.#crashing = new Promise((resolve) => {
      this.#crash = resolve;
    });
  }

  async call<Answer>(make: () => Promise<Answer>): Promise<Answer> {
    if (this.#hasCrashed) return new Promise(() => undefined);
    this.calls += 1;
    const isLast = this.calls === this.#at;
    if (isLast && this.#when === 'before') return this.#crashNow();
    const response = make();
    if (!isLast) return response;
    await response.catch(() => undefined);
    return this.#crashNow();
  }

  #crashNow<Answer>(): Promise<Answer> {
    this.#hasCrashed = true;
    this.#crash(crashed);
    return new Promise(() => undefined);
  }

  /** The result of the work, or undefined when the process crashed during it. */
  async resultOf<Answer>(work: Promise<Answer>): Promise<Answer | undefined> {
    const result = await Promise.race([work, this.#crashing]);
    return result === crashed ? undefined : result;
  }
}

/** Another process does something at a given outside call of this one: before it is sent, or before its response arrives. */
export class RacePoint {
  calls = 0;
  readonly #at: number;
  readonly #when: 'before' | 'after';
  readonly #race: () => Promise<unknown>;

  constructor(at: number, when: 'before' | 'after', race: () => Promise<unknown>) {
    this.#at = at;
    this.#when = when;
    this.#race = race;
  }

  async call<Answer>(make: () => Promise<Answer>): Promise<Answer> {
    this.calls += 1;
    const isRaced = this.calls === this.#at;
    if (isRaced && this.#when === 'before') await this.#race();
    const response = await make();
    if (isRaced && this.#when === 'after') await this.#race();
    return response;
  }
}

type CallPoint = Pick<CrashPoint, 'call'>;

/** The same table for a process that may crash. */
export function crashingTable(table: Table, crashPoint: CallPoint): Table {
  const crashing = openTestTable(table.name);
  crashing.client.middlewareStack.add((next) => (args) => crashPoint.call(() => next(args)), {
    step: 'initialize',
    priority: 'high',
  });
  return crashing;
}

/** The same provider for a process that may crash. The provider itself continues to run. */
export function crashingProvider(provider: PaymentProvider, crashPoint: CallPoint): PaymentProvider {
  return {
    name: provider.name,
    needsAccount: provider.needsAccount,
    publishableKey: provider.publishableKey,
    createCustomer: (...asked) => crashPoint.call(() => provider.createCustomer(...asked)),
    setUp: (...asked) => crashPoint.call(() => provider.setUp(...asked)),
    retrieveSetup: (...asked) => crashPoint.call(() => provider.retrieveSetup(...asked)),
    describeCard: (...asked) => crashPoint.call(() => provider.describeCard(...asked)),
    prepare: (...asked) => crashPoint.call(() => provider.prepare(...asked)),
    confirm: (...asked) => crashPoint.call(() => provider.confirm(...asked)),
    retrieve: (...asked) => crashPoint.call(() => provider.retrieve(...asked)),
    cancel: (...asked) => crashPoint.call(() => provider.cancel(...asked)),
    refund: (...asked) => crashPoint.call(() => provider.refund(...asked)),
  };
}

/** The same dependencies in a process that crashes at a call to the table or the provider. */
export async function crashingDeps(deps: TestCheckoutDeps, { at, when }: { at: number; when: 'before' | 'after' }) {
  const crashPoint = new CrashPoint(at, when);
  const provider = crashingProvider(await deps.payments.current(), crashPoint);
  const payments = { ...deps.payments, current: async () => provider, byName: async () => provider };
  return { crashPoint, crashing: { ...deps, table: crashingTable(deps.table, crashPoint), payments } };
}
