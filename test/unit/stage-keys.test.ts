import { hkdfSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { keyFrom, movedKeys, purposesOf } from '../../shared/platform/stage-keys.ts';
import { openSecret, sealSecret } from '../../shared/webhooks/secret-box.ts';

const former = 'one secret for all purposes';
const own = 'a secret of its own';
const text = (key: Uint8Array): string => Buffer.from(key).toString('hex');
/** As every release so far has derived them. */
const keyBefore = (purpose: string): string =>
  Buffer.from(hkdfSync('sha256', former, '', `gateline ${purpose} v1`, 32)).toString('hex');

describe('keys of a stage that had one secret for all purposes', () => {
  it.each(Object.entries(purposesOf))(
    'those of %s stay the same before, while and after they are moved',
    async (_name, purposes) => {
      const moved = movedKeys(former, purposes);
      for (const purpose of purposes) {
        expect(text(await keyFrom(purpose, own, async () => former))).toBe(keyBefore(purpose));
        expect(text(await keyFrom(purpose, moved, async () => former))).toBe(keyBefore(purpose));
        expect(text(await keyFrom(purpose, moved, () => undefined))).toBe(keyBefore(purpose));
      }
    },
  );

  it('a webhook secret that was encrypted before opens after the move, and the other secrets do not open it', async () => {
    const sealed = sealSecret(await keyFrom('webhook-secret', own, async () => former), 'org/endpoint', 'whsec_1');
    const moved = await keyFrom('webhook-secret', movedKeys(former, purposesOf.webhooks), () => undefined);
    expect(openSecret(moved, 'org/endpoint', sealed)).toBe('whsec_1');
    await expect(keyFrom('webhook-secret', movedKeys(former, purposesOf.links), () => undefined)).rejects.toThrow(
      'The secret has no key for webhook-secret.',
    );
  });
});

it('the keys of a new stage follow from its own secrets alone', async () => {
  const key = await keyFrom('cursor', own, () => undefined);
  expect(text(key)).not.toBe(keyBefore('cursor'));
  expect(text(await keyFrom('cursor', own, () => undefined))).toBe(text(key));
});
