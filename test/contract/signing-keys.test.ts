import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newPrivateKey, signerOf } from '../../shared/http/auth/sign-token.ts';
import { givenKey } from '../../tools/fixtures/auth.ts';
import { otherSigner, testSigner } from '../../tools/fixtures/signing-key.ts';
import { type Service, startService } from '../support/service.ts';

describe('a stage during the rotation of its signing key', () => {
  const next = signerOf(newPrivateKey());
  let service: Service;

  beforeAll(async () => {
    const variables = { TOKEN_PUBLIC_KEYS: `${testSigner.publicKey},${next.publicKey}` };
    service = await startService(['org_rotate'], { variables, schedules: 'off' });
  });
  afterAll(() => service.stop());

  it('accepts keys of the old and of the new signing key, and of no other', async () => {
    const statuses: number[] = [];
    for (const [index, signer] of [testSigner, next, otherSigner].entries()) {
      const { text } = await givenKey(service.table, 'org_rotate', { keyId: String(index + 1), signer });
      statuses.push((await service.call('/v1/organisation', { key: text })).status);
    }
    // The hash of the last one is in the table too: only the signature refuses it.
    expect(statuses).toEqual([200, 200, 401]);
  });
});

describe('a stage without a signing key', () => {
  let service: Service;

  beforeAll(async () => {
    service = await startService(['org_keyless'], { variables: { TOKEN_PUBLIC_KEYS: 'none' }, schedules: 'off' });
  });
  afterAll(() => service.stop());

  it('answers without keys, and its log says why keys do not work and what to do', async () => {
    expect((await service.call('/v1/health')).status).toBe(200);
    const key = await service.newKey('org_keyless');
    expect((await service.call('/v1/organisation', { key })).status).toBe(500);
    expect(service.logs.join('\n')).toMatch(/is not a public signing key.*signing-key create --stage/);
  });
});
