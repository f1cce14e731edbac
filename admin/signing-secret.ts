import {
  CreateSecretCommand,
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
  UpdateSecretCommand,
} from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { signerOf, type TokenSigner } from '../shared/http/auth/sign-token.ts';

const Secret = v.object({ private_keys: v.array(v.string()) });

/** A signing key of a stage with its private key, which must not be printed. */
export interface StoredSigner extends TokenSigner {
  readonly privateKey: string;
}

const secretName = (stage: string): string => `gateline/${stage}/signing-key`;

/**
 * The private signing keys of a stage, oldest first; none if the secret does not exist. The secret is not part of the stack:
 * it exists before the first deployment, outlives the stack, and no function has access to it.
 */
export async function readSigners(stage: string): Promise<readonly StoredSigner[]> {
  const client = new SecretsManagerClient({});
  try {
    const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: secretName(stage) }));
    const { private_keys } = v.parse(Secret, JSON.parse(SecretString));
    return private_keys.map((privateKey) => ({ ...signerOf(privateKey), privateKey }));
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return [];
    throw error;
  } finally {
    client.destroy();
  }
}

/** `keyArn` encrypts the secret; undefined for the key that AWS manages. */
export async function writeSigners(
  stage: string,
  privateKeys: readonly string[],
  { exists, keyArn }: { readonly exists: boolean; readonly keyArn: string | undefined },
): Promise<void> {
  const SecretString = JSON.stringify({ private_keys: privateKeys });
  const encrypted = { SecretString, ...(keyArn !== undefined && { KmsKeyId: keyArn }) };
  const client = new SecretsManagerClient({});
  try {
    if (exists) {
      await client.send(new UpdateSecretCommand({ SecretId: secretName(stage), ...encrypted }));
    } else {
      const Description = `Gateline (${stage}): signs API keys and gate tokens. Only operators who issue keys may read it.`;
      await client.send(new CreateSecretCommand({ Name: secretName(stage), Description, ...encrypted }));
    }
  } finally {
    client.destroy();
  }
}
