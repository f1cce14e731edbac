import { derivedKey } from '../platform/secret.ts';
import { openSecret, sealSecret } from './secret-box.ts';
import { newSecret } from './signature.ts';

const ownerOf = (orgId: string, endpointId: string): string => `${orgId}/${endpointId}`;

/** A new secret: the text to show this once, and what to keep. */
export async function makeSecret(orgId: string, endpointId: string): Promise<{ text: string; sealed: string }> {
  const text = newSecret();
  return { text, sealed: sealSecret(await derivedKey('webhook-secret'), ownerOf(orgId, endpointId), text) };
}

/** What was opened stays open for the life of the instance, up to this many. */
const maxOpened = 500;
const opened = new Map<string, string>();

export async function openSecrets(orgId: string, endpointId: string, sealed: readonly string[]): Promise<string[]> {
  const key = await derivedKey('webhook-secret');
  const owner = ownerOf(orgId, endpointId);
  return sealed.map((secret) => {
    // Whose it is belongs to the name: one that was put into another's place must not open.
    const name = `${owner} ${secret}`;
    const text = opened.get(name) ?? openSecret(key, owner, secret);
    if (opened.size >= maxOpened) opened.clear();
    opened.set(name, text);
    return text;
  });
}
