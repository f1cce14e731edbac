import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { SsoAlgorithm, SsoProvider } from '../../shared/domain/sso/provider.ts';

interface SigningKey {
  readonly kid: string;
  readonly algorithm: SsoAlgorithm;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** Changes of a token's claims, header or key, for tokens that a correct provider would not issue. */
export interface TokenChanges {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly key?: SigningKey;
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

let issued = 0;

export function aSigningKey(algorithm: SsoAlgorithm = 'ES256'): SigningKey {
  issued += 1;
  return { kid: `key-${issued}`, algorithm, ...keyPairOf(algorithm) };
}

/** Generating an RSA key takes most of a second, so all providers share one and differ by key id. */
let rsaKeys: { readonly privateKey: KeyObject; readonly publicKey: KeyObject } | undefined;

function keyPairOf(algorithm: SsoAlgorithm) {
  if (algorithm === 'EdDSA') return generateKeyPairSync('ed25519');
  if (algorithm.startsWith('RS')) {
    rsaKeys ??= generateKeyPairSync('rsa', { modulusLength: 2_048 });
    return rsaKeys;
  }
  const curves: Readonly<Record<string, string>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };
  return generateKeyPairSync('ec', { namedCurve: curves[algorithm] ?? '' });
}

/** The bytes of a text as a network response. */
export function bytesOf(text: string): ArrayBuffer {
  const bytes = new ArrayBuffer(Buffer.byteLength(text));
  Buffer.from(bytes).write(text);
  return bytes;
}

/** An identity provider with its own keys, which signs as a real one does. */
export class IdentityProvider {
  readonly issuer: string;
  readonly audience = 'club-app';
  keys: readonly SigningKey[];

  constructor(issuer: string, algorithm: SsoAlgorithm = 'ES256') {
    this.issuer = issuer;
    this.keys = [aSigningKey(algorithm)];
  }

  /** The published key set. */
  jwks(): string {
    const keys = this.keys.map(({ kid, algorithm, publicKey }) => ({
      ...publicKey.export({ format: 'jwk' }),
      kid,
      alg: algorithm,
      use: 'sig',
    }));
    return JSON.stringify({ keys });
  }

  /** Signs with a new key from now on; the old one stays published until it is dropped. */
  rotate(): void {
    this.keys = [aSigningKey(this.keys[0]?.algorithm), ...this.keys];
  }

  dropOldKeys(): void {
    this.keys = this.keys.slice(0, 1);
  }

  token(subject: string, { claims, header, key = this.keys[0] }: TokenChanges = {}): string {
    if (key === undefined) throw new Error('The provider has no key.');
    const nowUnix = Math.floor(Date.now() / 1000);
    const payload = { iss: this.issuer, aud: this.audience, sub: subject, iat: nowUnix, exp: nowUnix + 600, ...claims };
    const input = `${encoded({ alg: key.algorithm, typ: 'JWT', kid: key.kid, ...header })}.${encoded(payload)}`;
    return `${input}.${signature(key, input)}`;
  }

  /** The provider as an operator registers it, with its current keys. */
  asProvider(changes: Partial<SsoProvider> = {}): SsoProvider {
    return {
      providerId: 'login',
      issuer: this.issuer,
      audiences: [this.audience],
      algorithms: [this.keys[0]?.algorithm ?? 'ES256'],
      keys: { kind: 'inline', jwks: this.jwks() },
      trustsEmail: false,
      createdUnix: 1_700_000_000,
      ...changes,
    };
  }
}

function signature({ algorithm, privateKey }: SigningKey, input: string): string {
  const digest = algorithm === 'EdDSA' ? null : `sha${algorithm.slice(2)}`;
  return sign(digest, Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url');
}
