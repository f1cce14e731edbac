import { webhookKey } from '../platform/secret.ts';
import { openSecret, sealSecret } from './secret-box.ts';
import { newSecret } from './signature.ts';

const ownerOf = (orgId: string, endpointId: string): string => `${orgId}/${endpointId}`;

/** Creates a secret: the text, which is shown once, and its encrypted form, which is stored. */
export async function createSecret(orgId: string, endpointId: string): Promise<{ text: string; sealed: string }> {
  const text = newSecret();
  return { text, sealed: sealSecret(await webhookKey(), ownerOf(orgId, endpointId), text) };
}

/** A secret that was copied to another endpoint does not open. */
export async function openSecrets(orgId: string, endpointId: string, sealed: readonly string[]): Promise<string[]> {
  const key = await webhookKey();
  return sealed.map((secret) => openSecret(key, ownerOf(orgId, endpointId), secret));
}
