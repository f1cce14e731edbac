import { hkdfSync } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { secretArn } from './env.ts';
import { Fault } from './fault.ts';

/** The purpose of a derived key. The key of one purpose reveals nothing about the key of another. */
type Purpose = 'apple-pass' | 'cursor' | 'ticket-link' | 'webhook-secret';

/** A call that hangs must not delay the request until the function's timeout. */
const requestHandler = { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true };

let secret: Promise<string> | undefined;
const keys = new Map<Purpose, Uint8Array>();

/** Derives a key for each purpose from the one secret of the stack. The secret is read once in the life of an instance. */
export async function derivedKey(purpose: Purpose): Promise<Uint8Array> {
  // A failure is not cached: the next request tries again.
  secret ??= secretText(secretArn()).catch((error: unknown) => {
    secret = undefined;
    throw error;
  });
  const text = await secret;
  const key = keys.get(purpose) ?? new Uint8Array(hkdfSync('sha256', text, '', `gateline ${purpose} v1`, 32));
  keys.set(purpose, key);
  return key;
}

/** Reads the text of a secret. The text is not cached. */
export async function secretText(arn: string): Promise<string> {
  const { SecretString } = await new SecretsManagerClient({ maxAttempts: 3, requestHandler }).send(
    new GetSecretValueCommand({ SecretId: arn }),
  );
  if (SecretString === undefined) throw new Fault('The secret has no SecretString.');
  return SecretString;
}
