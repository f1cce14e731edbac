import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { cursorSecret, formerSecret, linkSecret, webhookSecret } from './env.ts';
import { Fault } from './fault.ts';
import { type KeyPurpose, keyFrom } from './stage-keys.ts';

/** A call that hangs must not delay the request until the function's timeout. */
const requestHandler = { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true };

const texts = new Map<string, Promise<string>>();
const keys = new Map<string, Promise<Uint8Array>>();

/** Seals the cursors of lists. */
export const cursorKey = (): Promise<Uint8Array> => keyOf('cursor', cursorSecret());
/** Signs the links of tickets. */
export const linkKey = (): Promise<Uint8Array> => keyOf('ticket-link', linkSecret());
/** Signs what an Apple pass proves itself with. */
export const passKey = (): Promise<Uint8Array> => keyOf('apple-pass', linkSecret());
/** Encrypts the secrets of webhook endpoints. */
export const webhookKey = (): Promise<Uint8Array> => keyOf('webhook-secret', webhookSecret());

/** A key is kept as its secret is: to derive it takes some 20 µs, and a delivery some 300. */
function keyOf(purpose: KeyPurpose, own: string): Promise<Uint8Array> {
  return kept(keys, `${purpose} ${own}`, async () =>
    keyFrom(purpose, await keptText(own), () => {
      const former = formerSecret();
      return former === null ? undefined : keptText(former);
    }),
  );
}

/** A secret is read once in the life of an instance. */
const keptText = (arn: string): Promise<string> => kept(texts, arn, () => secretText(arn));

/** A failure is not kept: the next request tries again. */
function kept<Value>(all: Map<string, Promise<Value>>, name: string, read: () => Promise<Value>): Promise<Value> {
  const value = all.get(name) ?? read();
  all.set(name, value);
  value.catch(() => all.delete(name));
  return value;
}

/** Reads the text of a secret. The text is not cached. */
export async function secretText(arn: string): Promise<string> {
  const { SecretString } = await new SecretsManagerClient({ maxAttempts: 3, requestHandler }).send(
    new GetSecretValueCommand({ SecretId: arn }),
  );
  if (SecretString === undefined) throw new Fault('The secret has no SecretString.');
  return SecretString;
}
