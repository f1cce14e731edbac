/** What is known of one mail to one person. A row without a state is one that nobody has begun. */
export interface MailState {
  readonly kind: string;
  /** `sending` without an end says that somebody sends it now, or that a crash came between sending and noting it. */
  readonly state: 'sending' | 'sent' | 'waiting' | 'failed' | 'suppressed';
  readonly tries: number;
  /** How often the outcome was never noted: it may have been sent each time. */
  readonly unknown: number;
  readonly atMs: number;
  /** Of `sending`: when the claim ends. Of `waiting`: when it is tried again. */
  readonly dueMs: number;
  readonly reason: string | null;
}

/** Longer than any provider takes to answer. */
export const claimMs = 5 * 60_000;
const maxTries = 8;
/** A mail whose outcome is unknown is sent once more, and never a third time: a person decides then. */
const maxUnknown = 2;

/** Half a minute, a minute, two minutes … up to four hours. */
export const backOffMs = (failures: number): number => Math.min(30_000 * 2 ** (failures - 1), 4 * 3_600_000);

export const isDone = ({ state }: MailState): boolean => state === 'sent' || state === 'suppressed';

type Claim =
  | { readonly outcome: 'send'; readonly state: MailState }
  | { readonly outcome: 'failed'; readonly state: MailState | undefined }
  | { readonly outcome: 'later'; readonly dueMs: number }
  | { readonly outcome: 'done' };

/** Whether a mail may be sent now. Whoever may, writes `state` first. `resentMs` says when a person last asked to send what failed. */
export function claim(known: MailState | undefined, kind: string, nowMs: number, resentMs: number): Claim {
  const sending = (from: Pick<MailState, 'tries' | 'unknown'>): Claim => ({
    outcome: 'send',
    state: {
      kind,
      state: 'sending',
      tries: from.tries + 1,
      unknown: from.unknown,
      atMs: nowMs,
      dueMs: nowMs + claimMs,
      reason: null,
    },
  });
  if (known === undefined) return sending({ tries: 0, unknown: 0 });
  switch (known.state) {
    case 'sent':
    case 'suppressed':
      return { outcome: 'done' };
    case 'failed':
      return known.atMs < resentMs ? sending({ tries: 0, unknown: 0 }) : { outcome: 'failed', state: undefined };
    case 'waiting':
      return known.dueMs > nowMs ? { outcome: 'later', dueMs: known.dueMs } : sending(known);
    case 'sending': {
      if (known.dueMs > nowMs) return { outcome: 'later', dueMs: known.dueMs };
      const unknown = known.unknown + 1;
      if (unknown < maxUnknown) return sending({ ...known, unknown });
      const reason = 'nobody knows whether it was sent';
      return { outcome: 'failed', state: { ...known, state: 'failed', unknown, atMs: nowMs, reason } };
    }
  }
}

export const ended = (from: MailState, state: 'sent' | 'suppressed', nowMs: number): MailState => ({
  ...from,
  state,
  atMs: nowMs,
});

/** After a refusal. One that would come again is final. */
export function refused(from: MailState, reason: string, isFinal: boolean, nowMs: number): MailState {
  const state = isFinal || from.tries >= maxTries ? 'failed' : 'waiting';
  return { ...from, state, reason, atMs: nowMs, dueMs: nowMs + backOffMs(from.tries) };
}
