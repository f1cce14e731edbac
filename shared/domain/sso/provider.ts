/** Only asymmetric ones: whoever can verify a token must not be able to make one. */
export const ssoAlgorithms = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'EdDSA'] as const;
export type SsoAlgorithm = (typeof ssoAlgorithms)[number];

/** Where the public keys come from that a provider signs with. */
export type SsoKeys =
  /** A JSON Web Key Set as the platform team was given it. */
  | { readonly kind: 'inline'; readonly jwks: string }
  /** An https address that always has the current ones. */
  | { readonly kind: 'fetched'; readonly uri: string };

/** An identity provider whose tokens an organisation accepts. */
export interface SsoProvider {
  /** The platform team's own short name for it. */
  readonly providerId: string;
  /** What its tokens say in `iss`, letter by letter. */
  readonly issuer: string;
  /** A token must be meant for one of these. */
  readonly audiences: readonly string[];
  readonly algorithms: readonly SsoAlgorithm[];
  readonly keys: SsoKeys;
  readonly createdUnix: number;
}

/** A person as an identity provider knows them. */
export interface SsoIdentity {
  readonly issuer: string;
  readonly subject: string;
}

/** An identity, and the customer of the organisation that it belongs to. */
export interface SsoLink extends SsoIdentity {
  readonly userId: number;
  readonly linkedUnix: number;
}

export const ssoLimits = {
  providerId: 40,
  issuer: 255,
  audience: 255,
  audiences: 10,
  subject: 255,
  jwks: 65_536,
} as const;

/** What is longer was never linked, and is not looked for: the table refuses endless keys. */
export function canBeLinked({ issuer, subject }: SsoIdentity): boolean {
  return issuer.length <= ssoLimits.issuer && subject !== '' && subject.length <= ssoLimits.subject;
}
