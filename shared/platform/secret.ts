import { hkdfSync } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { secretArn } from './env.ts';

/** What a key made from the secret is for. Keys of different purposes tell nothing of each other. */
type Purpose = 'cursor';

let secret: Promise<string> | undefined;

/** A key of its own for each purpose, from the one secret of the stack. The secret is read once in the life of an instance. */
export async function derivedKey(purpose: Purpose): Promise<Uint8Array> {
  // A failure is not kept: the next request asks again.
  secret ??= readSecret().catch((error: unknown) => {
    secret = undefined;
    throw error;
  });
  return new Uint8Array(hkdfSync('sha256', await secret, '', `gateline ${purpose} v1`, 32));
}

async function readSecret(): Promise<string> {
  const { SecretString } = await new SecretsManagerClient({}).send(
    new GetSecretValueCommand({ SecretId: secretArn() }),
  );
  if (SecretString === undefined) throw new Error('The secret of the stack has no text.');
  return SecretString;
}
