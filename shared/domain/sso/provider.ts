/** Only asymmetric algorithms: a party that can verify tokens must not be able to create them. */
export const ssoAlgorithms = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'EdDSA'] as const;
export type SsoAlgorithm = (typeof ssoAlgorithms)[number];

/** The source of the public keys of a provider. */
export type SsoKeys =
  /** A JSON Web Key Set that the platform team configured. */
  | { readonly kind: 'inline'; readonly jwks: string }
  /** An https address that returns the current key set. */
  | { readonly kind: 'fetched'; readonly uri: string };

/** An identity provider whose tokens an organisation accepts. */
export interface SsoProvider {
  /** The platform team's own short name for it. */
  readonly providerId: string;
  /** The exact value of `iss` in its tokens. */
  readonly issuer: string;
  /** The `aud` of a token must contain one of these. */
  readonly audiences: readonly string[];
  readonly algorithms: readonly SsoAlgorithm[];
  readonly keys: SsoKeys;
  /** Whether its `email_verified: true` proves that the user owns the address of the token. */
  readonly trustsEmail: boolean;
  readonly createdUnix: number;
}

/** A user of an identity provider. */
export interface SsoIdentity {
  readonly issuer: string;
  readonly subject: string;
}

/** The user of a valid token. */
export interface SsoUser extends SsoIdentity {
  /** The provider that issued the token. */
  readonly providerId: string;
  /** The address that the token says is verified, if the provider is trusted with that; otherwise null. */
  readonly verifiedEmail: string | null;
}

/** A user of an identity provider, and the customer that the user is linked to. */
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

/**
 * Whether two addresses are the same for linking: letters A to Z are compared without case, and nothing else is ignored. Looser
 * rules, such as Unicode case folding, would let one person register another spelling of the address of another person.
 */
export function isSameVerifiedAddress(one: string, other: string | null): boolean {
  return other !== null && lowerCaseAscii(one) === lowerCaseAscii(other);
}

function lowerCaseAscii(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** A longer issuer or subject was never linked, so it is not looked up: DynamoDB limits key lengths. */
export function canBeLinked({ issuer, subject }: SsoIdentity): boolean {
  return issuer.length <= ssoLimits.issuer && subject !== '' && subject.length <= ssoLimits.subject;
}
