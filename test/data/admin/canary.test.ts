import { expect, it } from 'vitest';
import { documentOf, givenAdmin } from '../../support/admin.ts';

const { admin } = await givenAdmin(() => Date.UTC(2026, 10, 14, 12));

it('admin canary create makes an organisation with a ticket to hold, prints the setting, and repeated changes nothing', async () => {
  const created = await documentOf(admin, 'canary', 'create');
  expect(created).toMatchObject({
    org_id: 'org_canary',
    price_id: expect.any(Number),
    publishable_key: expect.stringMatching(/^gl_pub_canary_/),
    changed: true,
  });
  expect(await documentOf(admin, 'canary', 'create')).toEqual({ ...created, changed: false });
  const { stdout } = await admin('canary', 'create', '--local');
  expect(stdout).toContain(`canary: { storefrontToken: '${created.publishable_key}', priceId: ${created.price_id} },`);
  expect((await documentOf(admin, 'audit', 'org_canary')).findings ?? []).toEqual([]);
  await documentOf(
    admin,
    'storefront',
    'revoke',
    'org_canary',
    (await documentOf(admin, 'storefront', 'list', 'org_canary')).data[0].token_id,
    '--yes',
  );
  const replaced = await documentOf(admin, 'canary', 'create');
  expect(replaced).toMatchObject({ price_id: created.price_id, changed: true });
  expect(replaced.publishable_key).not.toBe(created.publishable_key);
});
