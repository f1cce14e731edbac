import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { cursorSecret, formerSecret, linkSecret, webhookSecret } from './env.ts';
import { Fault } from './fault.ts';
import { type KeyPurpose, keyFrom } from './stage-keys.ts';

/** A call that hangs must not delay the request until the function's timeout. */
const requestHandler = { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true };

const texts = new Map<string, Promise<string>>();

/** Seals the cursors of lists. */
export const cursorKey = (): Promise<Uint8Array> => keyOf('cursor', cursorSecret());
/** Signs the links of tickets. */
export const linkKey = (): Promise<Uint8Array> => keyOf('ticket-link', linkSecret());
/** Signs what an Apple pass proves itself with. */
export const passKey = (): Promise<Uint8Array> => keyOf('apple-pass', linkSecret());
/** Encrypts the secrets of webhook endpoints. */
export const webhookKey = (): Promise<Uint8Array> => keyOf('webhook-secret', webhookSecret());

async function keyOf(purpose: KeyPurpose, arn: string): Promise<Uint8Array> {
  return keyFrom(purpose, await keptText(arn), () => {
    const former = formerSecret();
    return former === null ? undefined : keptText(former);
  });
}

/** A secret is read once in the life of an instance. A failure is not kept: the next request tries again. */
function keptText(arn: string): Promise<string> {
  const text = texts.get(arn) ?? secretText(arn);
  texts.set(arn, text);
  text.catch(() => texts.delete(arn));
  return text;
}

/** Reads the text of a secret. The text is not cached. */
export async function secretText(arn: string): Promise<string> {
  const { SecretString } = await new SecretsManagerClient({ maxAttempts: 3, requestHandler }).send(
    new GetSecretValueCommand({ SecretId: arn }),
  );
  if (SecretString === undefined) throw new Fault('The secret has no SecretString.');
  return SecretString;
}
