import { hkdfSync } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { secretArn } from './env.ts';
import { Fault } from './fault.ts';

/** What a key made from the secret is for. Keys of different purposes tell nothing of each other. */
type Purpose = 'cursor' | 'webhook-secret';

/** A call that hangs must not hold the request for the function's whole time. */
const requestHandler = { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true };

let secret: Promise<string> | undefined;
const keys = new Map<Purpose, Uint8Array>();

/** A key of its own for each purpose, from the one secret of the stack. The secret is read once in the life of an instance. */
export async function derivedKey(purpose: Purpose): Promise<Uint8Array> {
  // A failure is not kept: the next request asks again.
  secret ??= secretText(secretArn()).catch((error: unknown) => {
    secret = undefined;
    throw error;
  });
  const text = await secret;
  const key = keys.get(purpose) ?? new Uint8Array(hkdfSync('sha256', text, '', `gateline ${purpose} v1`, 32));
  keys.set(purpose, key);
  return key;
}

/** What stands in a secret. Each call reads it. */
export async function secretText(arn: string): Promise<string> {
  const { SecretString } = await new SecretsManagerClient({ maxAttempts: 3, requestHandler }).send(
    new GetSecretValueCommand({ SecretId: arn }),
  );
  if (SecretString === undefined) throw new Fault('The secret has no SecretString.');
  return SecretString;
}
