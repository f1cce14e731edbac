/** Whether, when and how a member's card and other goods were sent. */
export interface Fulfilment {
  readonly fulfilled: 'yes' | 'no';
  /** When they were first sent; null also for imported members whose date of fulfilment is unknown. */
  readonly fulfilledUnix: number | null;
  readonly trackingCode: string | null;
}

/** Marks the goods as sent. A member who is already fulfilled keeps the first date. A given code is recorded in both cases. */
export function fulfil(current: Fulfilment, code: string | undefined, nowUnix: number): Fulfilment {
  const { fulfilled, fulfilledUnix, trackingCode } = current;
  return {
    fulfilled: 'yes',
    fulfilledUnix: fulfilled === 'yes' ? fulfilledUnix : nowUnix,
    trackingCode: code ?? trackingCode,
  };
}

/** Setting a code implies that the goods were sent. Removing it says nothing about the goods, so nothing else changes. */
export function setTrackingCode(current: Fulfilment, code: string | null, nowUnix: number): Fulfilment {
  if (code !== null) return fulfil(current, code, nowUnix);
  const { fulfilled, fulfilledUnix } = current;
  return { fulfilled, fulfilledUnix, trackingCode: null };
}

export interface FulfilmentRequest {
  readonly memberId: number;
  readonly trackingCode: string | undefined;
}

/** Returns each member once, in the order of its first request, with the code of its last request that has one. */
export function codesByMember(requests: readonly FulfilmentRequest[]): ReadonlyMap<number, string | undefined> {
  const codes = new Map<number, string | undefined>();
  for (const { memberId, trackingCode } of requests) codes.set(memberId, trackingCode ?? codes.get(memberId));
  return codes;
}
