/** What a fan has begun for a membership. After the page of the bank the same request asks how it went. */
export interface Begun {
  readonly what: 'instalment' | 'card';
  readonly memberId: string;
  /** Of an instalment: with it the same request never pays another one. */
  readonly number?: number | undefined;
  /** Null: on the page of the provider. */
  readonly paymentMethod: string | null;
  /** Of an instalment: whether the later ones are charged to this card too. */
  readonly saves?: boolean | undefined;
}

/** The body of the request. An instalment replaces the saved card only if the fan wants that. */
export function requestOf({ what, number, paymentMethod, saves = false }: Begun, returnUrl: string): object {
  return {
    return_url: returnUrl,
    ...(paymentMethod !== null && { payment_method: paymentMethod }),
    ...(what === 'instalment' && { number, save: saves }),
  };
}
