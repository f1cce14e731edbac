import { hkdfSync } from 'node:crypto';
import * as v from 'valibot';
import { Fault } from './fault.ts';

/** The purpose of a key. The key of one purpose reveals nothing about the key of another. */
export type KeyPurpose = 'apple-pass' | 'cursor' | 'ticket-link' | 'webhook-secret';

/** The purposes whose keys are in each secret. */
export const purposesOf = {
  cursors: ['cursor'],
  links: ['ticket-link', 'apple-pass'],
  webhooks: ['webhook-secret'],
} as const satisfies Record<string, readonly KeyPurpose[]>;

const Moved = v.pipe(v.string(), v.parseJson(), v.object({ keys: v.record(v.string(), v.string()) }));

/** Whether a secret has keys of the former one. A new secret is random letters and digits. */
export const isMoved = (text: string): boolean => text.startsWith('{');

/**
 * What a secret contains after `secrets separate`: the keys that the functions derived from the secret of all purposes. They stay the
 * same, so cursors, links and webhook secrets of before stay valid, and a key reveals nothing about the secret that it came from.
 */
export function movedKeys(former: string, purposes: readonly KeyPurpose[]): string {
  const keys = purposes.map((purpose) => [purpose, Buffer.from(derive(former, purpose)).toString('base64')]);
  return JSON.stringify({ keys: Object.fromEntries(keys) });
}

/** The key of a purpose. A stage of before reads the secret of all purposes (`former`) until its own has the keys of it. */
export async function keyFrom(
  purpose: KeyPurpose,
  own: string,
  readFormer: () => Promise<string> | undefined,
): Promise<Uint8Array> {
  if (!isMoved(own)) return derive((await readFormer()) ?? own, purpose);
  const key = v.parse(Moved, own).keys[purpose];
  if (key === undefined) throw new Fault(`The secret has no key for ${purpose}.`);
  return new Uint8Array(Buffer.from(key, 'base64'));
}

function derive(text: string, purpose: KeyPurpose): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', text, '', `gateline ${purpose} v1`, 32));
}
