import { openTable, type Table } from '../../../shared/data/table/table.ts';
import type { PaymentProvider } from '../../../shared/payments/provider.ts';
import { testClientConfig } from '../table.ts';

const died = Symbol('died');

/**
 * A process that dies at a given call to the outside: just before it is made, or when it has been made but before its answer
 * arrives. From then on nothing it asks for ever comes back, as nothing comes back to a process that is gone.
 */
export class Life {
  calls = 0;
  readonly #at: number;
  readonly #when: 'before' | 'after';
  readonly #end: Promise<typeof died>;
  #die: (sign: typeof died) => void = () => undefined;
  #isOver = false;

  constructor(at: number, when: 'before' | 'after') {
    this.#at = at;
    this.#when = when;
    this.#end = new Promise((resolve) => {
      this.#die = resolve;
    });
  }

  async call<Answer>(make: () => Promise<Answer>): Promise<Answer> {
    if (this.#isOver) return new Promise(() => undefined);
    this.calls += 1;
    const isLast = this.calls === this.#at;
    if (isLast && this.#when === 'before') return this.#over();
    const answer = make();
    if (!isLast) return answer;
    await answer.catch(() => undefined);
    return this.#over();
  }

  #over<Answer>(): Promise<Answer> {
    this.#isOver = true;
    this.#die(died);
    return new Promise(() => undefined);
  }

  /** What came of the work, or undefined when the process died over it. */
  async survive<Answer>(work: Promise<Answer>): Promise<Answer | undefined> {
    const result = await Promise.race([work, this.#end]);
    return result === died ? undefined : result;
  }
}

/** The same table, reached from a process that may die. */
export function crashingTable(table: Table, life: Life): Table {
  const crashing = openTable(table.name, testClientConfig());
  crashing.client.middlewareStack.add((next) => (args) => life.call(() => next(args)), {
    step: 'initialize',
    priority: 'high',
  });
  return crashing;
}

/** The same provider, asked by a process that may die. The provider itself lives on. */
export function crashingProvider(provider: PaymentProvider, life: Life): PaymentProvider {
  return {
    name: provider.name,
    needsAccount: provider.needsAccount,
    prepare: (...asked) => life.call(() => provider.prepare(...asked)),
    confirm: (...asked) => life.call(() => provider.confirm(...asked)),
    settle: (...asked) => life.call(() => provider.settle(...asked)),
    refund: (...asked) => life.call(() => provider.refund(...asked)),
  };
}
