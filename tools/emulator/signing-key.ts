import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { type Emulator, region } from './emulator.ts';

const Secret = v.object({ private_keys: v.array(v.string()) });

/** The newest private signing key of a stage. Tests sign API keys with it. */
export async function readSigningKey({ port, certificate }: Emulator, stage: string): Promise<string> {
  const client = new SecretsManagerClient({
    region,
    endpoint: `https://127.0.0.1:${port}`,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    requestHandler: { httpsAgent: new Agent({ ca: readFileSync(certificate) }) },
  });
  try {
    const command = new GetSecretValueCommand({ SecretId: `gateline/${stage}/signing-key` });
    const { SecretString = '' } = await client.send(command);
    return v.parse(Secret, JSON.parse(SecretString)).private_keys.at(-1) ?? '';
  } finally {
    client.destroy();
  }
}
