import type { PaymentProvider, Refunded } from '../../../shared/payments/provider.ts';

/**
 * How the provider is during a step: it answers at once; it refuses refunds; it does what was asked and does not answer; it is not reached; or
 * it does not answer, and does what was asked after the step.
 */
export type Mood = 'prompt' | 'refusing' | 'silent' | 'unreachable' | 'late';

/** What the provider remembers from one step to the next. */
export interface Memory {
  /** What came of refunds, by their idempotency key: the answer to the same key is the same. */
  readonly refunds: Map<string, Refunded>;
  /** Calls that arrive after their caller has stopped waiting. */
  readonly underWay: (() => Promise<unknown>)[];
}

/** The ways to pay that are a card, whatever a wallet calls itself. A charge keeps its own. */
const methodKinds = ['card', 'link', 'samsung_pay', 'apple_pay'];
const kindOf = (chargeId: string): string | null => {
  const sum = [...chargeId].reduce((codes, letter) => codes + letter.charCodeAt(0), 0);
  return methodKinds[sum % methodKinds.length] ?? null;
};

/** The same provider in a mood. */
export function inMood(provider: PaymentProvider, mood: Mood, { refunds, underWay }: Memory): PaymentProvider {
  const ask = async <Answer>(make: () => Promise<Answer>): Promise<Answer> => {
    if (mood === 'late') underWay.push(make);
    if (mood === 'silent') await make();
    if (mood === 'late' || mood === 'silent' || mood === 'unreachable')
      throw new Error('The provider does not answer.');
    return make();
  };
  return {
    ...provider,
    createCustomer: (...asked) => ask(() => provider.createCustomer(...asked)),
    setUp: (...asked) => ask(() => provider.setUp(...asked)),
    prepare: (...asked) => ask(() => provider.prepare(...asked)),
    cancel: (...asked) => ask(() => provider.cancel(...asked)),
    confirm: (charge, signal) =>
      ask(async () => {
        const confirmed = await provider.confirm(charge, signal);
        return confirmed.outcome === 'paid' ? { ...confirmed, methodKind: kindOf(charge.chargeId) } : confirmed;
      }),
    retrieve: (charge, signal) =>
      ask(async () => {
        const state = await provider.retrieve(charge, signal);
        return state.status === 'succeeded' ? { ...state, methodKind: kindOf(charge.chargeId) } : state;
      }),
    refund: (charge, refund, signal) =>
      ask(async () => {
        const refusal: Refunded = { outcome: 'refused', message: 'The bank of the card refuses it.' };
        const known = refunds.get(refund.key);
        const answer = known ?? (mood === 'refusing' ? refusal : await provider.refund(charge, refund, signal));
        refunds.set(refund.key, answer);
        return answer;
      }),
  };
}
