/** How a person can be reached for a purpose. */
export const consentChannels = ['email', 'sms', 'phone', 'post'] as const;
export type ConsentChannel = (typeof consentChannels)[number];

/** Where it was said: at a checkout, by the fan on a page, by staff or a server with an API key, or in an imported file. */
export const consentSources = ['checkout', 'page', 'staff', 'import'] as const;
export type ConsentSource = (typeof consentSources)[number];

/** What a person says about one purpose and channel. */
export interface ConsentStatement {
  readonly purpose: string;
  readonly channel: ConsentChannel;
  /** False: withdrawn, or refused. */
  readonly given: boolean;
  /** The version of the words that the person saw; null if nobody knows, as of an import. */
  readonly textVersion: string | null;
}

export interface Consent extends ConsentStatement {
  readonly source: ConsentSource;
  /** When it was said. */
  readonly atMs: number;
  /** The order at whose checkout it was said; null elsewhere. */
  readonly orderId: number | null;
}

/** The consents of a customer that count: the newest for each purpose and channel. */
export interface CurrentConsents {
  readonly consents: readonly Consent[];
  /** Incremented with each change, so concurrent statements come one after the other. */
  readonly version: number;
}

export const noConsents: CurrentConsents = { consents: [], version: 0 };

export const consentLimits = { purpose: 40, textVersion: 100, perCheckout: 10, pairs: 50 } as const;

/** The statements that a checkout carries until its customer is known, and who typed them. */
export interface CheckoutConsents {
  readonly said: readonly ConsentStatement[];
  /** A page alone: nothing proves whose address was typed. Otherwise a server with an API key vouches for it. */
  readonly isTypedOnPage: boolean;
  readonly atMs: number;
}

interface AddedConsents {
  readonly current: CurrentConsents;
  /** Those that say something else than what counted before. */
  readonly changed: readonly Consent[];
}

/**
 * What counts after new statements. A statement that is older than what counts is only history: a checkout may be paid after the buyer has
 * withdrawn. Undefined if there would be too many pairs of purpose and channel.
 */
export function withConsents(
  { consents, version }: CurrentConsents,
  added: readonly Consent[],
): AddedConsents | undefined {
  const byPair = new Map(consents.map((consent) => [pairOf(consent), consent]));
  const changed: Consent[] = [];
  for (const consent of added) {
    const known = byPair.get(pairOf(consent));
    if (known !== undefined && known.atMs > consent.atMs) continue;
    if (known?.given !== consent.given || known.textVersion !== consent.textVersion) changed.push(consent);
    byPair.set(pairOf(consent), consent);
  }
  if (byPair.size > consentLimits.pairs) return undefined;
  return { current: { consents: [...byPair.values()], version: version + 1 }, changed };
}

const pairOf = ({ purpose, channel }: Pick<Consent, 'purpose' | 'channel'>): string => `${channel} ${purpose}`;

/** The pair that `marketing_emails` of a customer and `marketing_opt_in` of an order follow. */
export const marketingEmails = { purpose: 'marketing', channel: 'email' } as const;

/** Whether marketing by email is wanted; undefined if nothing was said about it. */
export function wantsMarketingEmails(consents: readonly ConsentStatement[]): boolean | undefined {
  return consents.find((consent) => pairOf(consent) === pairOf(marketingEmails))?.given;
}

/** The first statement about a pair that an earlier one of the same request is about; undefined if there is none. */
export function repeatedStatement(said: readonly ConsentStatement[]): number | undefined {
  const pairs = said.map(pairOf);
  const index = pairs.findIndex((pair, at) => pairs.indexOf(pair) !== at);
  return index === -1 ? undefined : index;
}

/** The time of a new statement: after all that count, also if the clock of another process is ahead. So of two at the same moment one is the newest. */
export function statementMs({ consents }: CurrentConsents, nowMs: number): number {
  return Math.max(nowMs, ...consents.map(({ atMs }) => atMs + 1));
}
