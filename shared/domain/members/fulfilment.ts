/** Whether, when and how the card and other goods of a member were sent. */
export interface Fulfilment {
  readonly fulfilled: 'yes' | 'no';
  /** When they first were; null also for members who were fulfilled elsewhere, on a day that nobody told us. */
  readonly fulfilledUnix: number | null;
  readonly trackingCode: string | null;
}

/** The goods were sent. Who has them already keeps the first date; a code that is given is recorded in both cases. */
export function fulfil(current: Fulfilment, code: string | undefined, nowUnix: number): Fulfilment {
  const { fulfilled, fulfilledUnix, trackingCode } = current;
  return {
    fulfilled: 'yes',
    fulfilledUnix: fulfilled === 'yes' ? fulfilledUnix : nowUnix,
    trackingCode: code ?? trackingCode,
  };
}

/** A code can only be told of what was sent. To take it back says nothing about the goods, so nothing else changes. */
export function setTrackingCode(current: Fulfilment, code: string | null, nowUnix: number): Fulfilment {
  if (code !== null) return fulfil(current, code, nowUnix);
  const { fulfilled, fulfilledUnix } = current;
  return { fulfilled, fulfilledUnix, trackingCode: null };
}

export interface FulfilmentRequest {
  readonly memberId: number;
  readonly trackingCode: string | undefined;
}

/** Each member of a list once, in the order in which it first comes, with the last code that the list gives it. */
export function codesByMember(requests: readonly FulfilmentRequest[]): ReadonlyMap<number, string | undefined> {
  const codes = new Map<number, string | undefined>();
  for (const { memberId, trackingCode } of requests) codes.set(memberId, trackingCode ?? codes.get(memberId));
  return codes;
}
