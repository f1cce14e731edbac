import { describe, expect, it } from 'vitest';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { documentOf, givenAdmin } from '../../support/admin.ts';

const orgId = 'org_shop';
const nowMs = Date.UTC(2026, 10, 14, 12);
const { table, admin } = await givenAdmin(() => nowMs);
await givenOrganisation(table, orgId);

const asJson = (...words: readonly string[]) => documentOf(admin, 'storefront', ...words);
async function errorOf(...words: readonly string[]) {
  return JSON.parse((await admin('storefront', ...words, '--local', '--json')).stderr).error;
}

describe('admin storefront', () => {
  it('issues a storefront token, lists it with its text, changes, rotates and revokes it', async () => {
    const origins = 'https://Shop.example.com/,http://localhost:*';
    const issued = await asJson('issue', orgId, '--origins', origins, '--mode', 'test', '--label', 'shop');
    expect(issued).toMatchObject({
      publishable_key: expect.stringMatching(/^gl_pub_shop_/),
      origins: ['https://shop.example.com', 'http://localhost:*'],
      per_minute: 60_000,
      max_held: 40,
      state: 'live',
    });
    expect((await asJson('list', orgId)).data).toEqual([issued]);
    const change = ['--origins', 'https://new.example.com', '--per-minute', '500', '--max-held', '8', '--label', 'new'];
    expect(await asJson('update', orgId, issued.token_id, ...change)).toMatchObject({
      origins: ['https://new.example.com'],
      per_minute: 500,
      max_held: 8,
      label: 'new',
      changed: true,
      publishable_key: issued.publishable_key,
    });
    const rotated = await asJson('rotate', orgId, issued.token_id, '--overlap', '1h', '--yes');
    expect(rotated).toMatchObject({
      origins: ['https://new.example.com'],
      per_minute: 500,
      rotated_from: issued.token_id,
      state: 'live',
      replaced: { token_id: issued.token_id, expires: nowMs / 1000 + 3_600 },
    });
    expect(await asJson('revoke', orgId, rotated.token_id, '--yes')).toMatchObject({ state: 'revoked', changed: true });
    expect(await errorOf('rotate', orgId, rotated.token_id, '--yes')).toMatchObject({ code: 'token_not_live' });
  });

  it('sets the limits of a sale with one command, and sets them back', async () => {
    const { token_id, ...issued } = await asJson('issue', orgId, '--origins', 'https://shop.example.com');
    const limits = { per_minute: 60_000, per_address: 600, max_baskets: 100, max_held: 40 };
    expect(issued).toMatchObject(limits);
    expect(await asJson('sale', orgId, token_id, '--buyers', '50000')).toMatchObject({
      per_minute: 300_000,
      per_address: 10_000,
      max_baskets: 10_000,
      max_held: 10_000,
      changed: true,
    });
    expect(await asJson('sale', orgId, token_id, '--end')).toMatchObject({ ...limits, changed: true });
    for (const words of [[], ['--buyers', '5', '--end'], ['--buyers', '0']]) {
      expect(await errorOf('sale', orgId, token_id, ...words)).toMatchObject({ code: 'usage_error' });
    }
    expect(await errorOf('sale', orgId, 'zzzz', '--end')).toMatchObject({ code: 'token_missing' });
    const change = ['--per-address', '900', '--max-baskets', '7'];
    expect(await asJson('update', orgId, token_id, ...change)).toMatchObject({ per_address: 900, max_baskets: 7 });
  });

  it('refuses origins that a live token cannot have, and unknown tokens and organisations', async () => {
    for (const origin of ['http://localhost:*', 'http://shop.example.com']) {
      const error = await errorOf('issue', orgId, '--origins', origin);
      expect(error).toMatchObject({ code: 'usage_error', message: expect.stringContaining(origin) });
    }
    for (const origin of ['*', 'https://*.example.com', 'https://shop.example.com/path', 'null', '']) {
      expect(await errorOf('issue', orgId, '--origins', origin)).toMatchObject({ code: 'usage_error' });
    }
    const origins = ['--origins', 'https://shop.example.com'];
    expect(await errorOf('issue', 'org_nobody', ...origins)).toMatchObject({ code: 'organisation_missing' });
    expect(await errorOf('update', orgId, 'zzzz', ...origins)).toMatchObject({ code: 'token_missing' });
    expect(await errorOf('update', orgId, 'zzzz')).toMatchObject({ code: 'usage_error' });
    expect(await errorOf('revoke', orgId, 'zzzz', '--yes')).toMatchObject({ code: 'token_missing' });
    expect(await errorOf('rotate', orgId, 'zzzz', '--yes')).toMatchObject({ code: 'token_missing' });
    const { token_id } = await asJson('issue', orgId, ...origins);
    expect(await errorOf('update', orgId, token_id, '--origins', 'http://localhost:*')).toMatchObject({
      code: 'usage_error',
    });
  });
});
