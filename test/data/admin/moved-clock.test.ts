import { afterAll, describe, expect, it } from 'vitest';
import { CloudClock } from '../../../local/cloud/clock/cloud-clock.ts';
import { writeLocalConnection } from '../../../local/run/connection-file.ts';
import { startControl } from '../../../local/run/control.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { adminTool, documentOf, givenLocalRun } from '../../support/admin.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_later';
const hour = 3_600;
const { table } = await createTestTable();
const local = givenLocalRun(table);
// As after `npm run clock -- +30d`.
const clock = new CloudClock(30 * 24 * hour * 1000);
const control = await startControl({ clock });
writeLocalConnection(local.file, { ...local.connection, control: control.address });
await givenOrganisation(table, orgId);
afterAll(async () => {
  await control.stop();
  local.remove();
  table.client.destroy();
});

const admin = adminTool({ localFile: local.file, nowMs: systemClock.nowMs });
const run = (...words: readonly string[]) => documentOf(admin, ...words);

/** The test may be slow, but not by half an hour. */
function expectIn(unix: number, seconds: number): void {
  expect(Math.abs(unix - clock.now() / 1000 - seconds)).toBeLessThan(hour / 2);
}

describe('the CLI after the time of the local run was moved', () => {
  it('issues and rotates API keys in that time', async () => {
    const issued = await run('key', 'issue', orgId, '--scopes', 'read', '--expires', '2h');
    expect(issued.state).toBe('live');
    expectIn(issued.created, 0);
    expectIn(issued.expires, 2 * hour);
    const { replaced } = await run(
      'key',
      'rotate',
      orgId,
      issued.key_id,
      '--overlap',
      '1h',
      '--yes',
      '--expires',
      '3h',
    );
    expect(replaced.state).toBe('live');
    expectIn(replaced.expires, hour);
    const { revoked } = await run('key', 'revoke', orgId, issued.key_id, '--yes');
    expectIn(revoked, 0);
  });

  it('issues and revokes gate tokens in that time', async () => {
    const issued = await run('gate', 'token', 'issue', orgId, '--expires', '2h');
    expect(issued.state).toBe('live');
    expectIn(issued.expires, 2 * hour);
    expectIn((await run('gate', 'token', 'revoke', orgId, issued.token_id, '--yes')).revoked, 0);
  });

  it('issues and rotates storefront tokens in that time', async () => {
    const issued = await run('storefront', 'issue', orgId, '--origins', 'https://shop.example.com');
    expectIn(issued.created, 0);
    const { replaced } = await run('storefront', 'rotate', orgId, issued.token_id, '--overlap', '1h', '--yes');
    expectIn(replaced.expires, hour);
    const { data } = await run('storefront', 'list', orgId);
    expect(data.map(({ state }: { state: string }) => state)).toEqual(['live', 'live']);
  });

  it('refuses an expiry that is past in that time', async () => {
    const soon = String(Math.floor(systemClock.nowMs() / 1000) + hour);
    const { exitCode, stderr } = await admin('gate', 'token', 'issue', orgId, '--expires', soon, '--local');
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('not in the past') });
  });
});
