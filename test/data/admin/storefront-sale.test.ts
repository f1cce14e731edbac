import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { concurrencyPlan } from '../../../lib/concurrency-plan.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenStorefrontToken } from '../../../tools/fixtures/storefront.ts';
import { adminTool } from '../../support/admin.ts';
import { type OperatorAws, startOperatorAws } from '../../support/operator-aws.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_opening';
const folder = mkdtempSync(join(tmpdir(), 'gateline-sale-'));
const admin = adminTool({ localFile: join(folder, 'admin.json'), nowMs: () => Date.UTC(2026, 10, 14, 12) });
/** The account of a new stage: the default quota of AWS. */
const { sale } = concurrencyPlan({ lambdaConcurrency: 1_000, payments: 'stripe' });
let aws: OperatorAws;
let table: Table;
let token: string;
let other: string;

beforeAll(async () => {
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
  ({ tokenId: token } = await givenStorefrontToken(table, orgId));
  ({ tokenId: other } = await givenStorefrontToken(table, orgId));
  aws = await startOperatorAws();
  aws.stubEnvironment();
});
beforeEach(() => {
  aws.stacks = {
    'Gateline-prod-state': { TableName: table.name },
    'Gateline-prod-service': { SaleConcurrency: JSON.stringify(sale) },
  };
  for (const [id, reserved] of Object.entries(sale.everyday)) aws.functions.set(id, { reserved, tags: new Map() });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await aws.stop();
  table.client.destroy();
  rmSync(folder, { recursive: true });
});

const run = (...words: readonly string[]) => admin('storefront', ...words, '--stage', 'prod', '--json');
async function documentOf(...words: readonly string[]) {
  const { exitCode, stdout, stderr } = await run(...words);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout);
}
const reserved = () => Object.fromEntries([...aws.functions].map(([id, each]) => [id, each.reserved]));

describe('the reservations of a sale', () => {
  it('are raised for its buyers together with the limits of its token, and set back with one command each', async () => {
    const raised = await documentOf('sale', orgId, token, '--buyers', '10000');
    expect(raised).toMatchObject({ per_minute: 60_000, max_held: 5_000, reservations: reserved() });
    expect(reserved()).toMatchObject({ 'open-basket': 80, 'list-event-prices': 80, 'check-out-basket': 60 });
    const { raised: kept, data, room } = await documentOf('sales');
    expect({ data, room }).toEqual({ data: [{ org_id: orgId, token_id: token, buyers: 10_000 }], room: sale.room });
    // What a deployment keeps: only what is above that of every day.
    expect(Object.keys(kept)).not.toHaveLength(0);
    for (const [id, number] of Object.entries(kept)) {
      expect(number).toBe(reserved()[id]);
      expect(number).toBeGreaterThan(sale.everyday[id] ?? 0);
    }
    expect(await documentOf('sale', orgId, token, '--end')).toMatchObject({ per_minute: 60_000, max_held: 40 });
    expect(reserved()).toEqual(sale.everyday);
    expect(await documentOf('sales')).toMatchObject({ data: [], raised: {} });
  });

  it('of two sales add up, and the end of one leaves the other what it needs', async () => {
    await documentOf('sale', orgId, token, '--buyers', '9000');
    const alone = reserved();
    await documentOf('sale', orgId, other, '--buyers', '3000');
    expect(reserved()['open-basket']).toBe(96);
    await documentOf('sale', orgId, other, '--end');
    expect(reserved()).toEqual(alone);
    await documentOf('sale', orgId, token, '--end');
    expect(reserved()).toEqual(sale.everyday);
  });

  it('that the account has no room for are refused before anything changes, with what fits', async () => {
    const { exitCode, stderr } = await run('sale', orgId, token, '--buyers', '50000');
    const { error } = JSON.parse(stderr);
    expect([exitCode, error.code]).toEqual([1, 'concurrency_exceeded']);
    expect(error.message).toContain('lambdaConcurrency in lib/stage-config.ts');
    const [, fits = ''] = /enough for (\d+) buyers/.exec(error.message) ?? [];
    expect(reserved()).toEqual(sale.everyday);
    expect((await documentOf('list', orgId)).data[0]).toMatchObject({ per_minute: 60_000, max_held: 40 });
    await documentOf('sale', orgId, token, '--buyers', fits);
    expect(Object.values(reserved()).reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(sale.room);
    await documentOf('sale', orgId, token, '--end');
  });

  it('do not exist on a stage without them: only the limits of the token change', async () => {
    aws.stacks['Gateline-prod-service'] = { SigningKeys: 'none' };
    const raised = await documentOf('sale', orgId, token, '--buyers', '50000');
    expect(raised).toMatchObject({ per_minute: 300_000, reservations: null });
    expect(await documentOf('sales')).toMatchObject({ room: null, data: [], raised: {} });
    await documentOf('sale', orgId, token, '--end');
  });
});
