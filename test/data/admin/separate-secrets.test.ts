import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { keyFrom } from '../../../shared/platform/stage-keys.ts';
import { adminTool } from '../../support/admin.ts';
import { type OperatorAws, startOperatorAws } from '../../support/operator-aws.ts';
import { createTestTable } from '../../support/table.ts';

const admin = adminTool({ localFile: 'none', nowMs: () => Date.now() });
const arns = {
  FormerSecretArn: 'former',
  CursorSecretArn: 'cursors',
  LinkSecretArn: 'links',
  WebhookSecretArn: 'webhooks',
};

let aws: OperatorAws;
let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
  aws = await startOperatorAws();
});
afterAll(async () => {
  await aws.stop();
  table.client.destroy();
});
beforeEach(() => {
  aws.stubEnvironment();
  for (const name of Object.values(arns)) aws.secrets.set(name, `random of ${name}`);
  deployed('read');
});
afterEach(() => vi.unstubAllEnvs());

const deployed = (FormerSecret: string): void => {
  aws.stacks = {
    'Gateline-prod-state': { TableName: table.name, ...arns },
    'Gateline-prod-service': { FormerSecret },
  };
};

async function separate() {
  const { exitCode, stdout, stderr } = await admin('secrets', 'separate', '--stage', 'prod', '--json');
  return exitCode === 0 ? { exitCode, ...JSON.parse(stdout) } : { exitCode, ...JSON.parse(stderr).error };
}

const stored = (name: string): string => aws.secrets.get(name) ?? '';

describe('admin secrets separate', () => {
  it('stores the keys of each purpose in its own secret, once, and shows none of them', async () => {
    const former = stored('former');
    const keyBefore = await keyFrom('ticket-link', stored('links'), async () => former);
    const result = await separate();
    expect(result).toMatchObject({ exitCode: 0, moved: ['cursors', 'links', 'webhooks'], changed: true });
    expect(await keyFrom('ticket-link', stored('links'), () => undefined)).toEqual(keyBefore);
    expect(stored('links')).not.toContain('webhook-secret');
    expect(JSON.stringify(result)).not.toContain(JSON.parse(stored('cursors')).keys.cursor);
    const after = [...aws.secrets];
    expect(await separate()).toMatchObject({ moved: [], changed: false });
    expect([...aws.secrets]).toEqual(after);
  });

  it('goes on where it was interrupted', async () => {
    await separate();
    const complete = [...aws.secrets];
    aws.secrets.set('webhooks', 'random of webhooks');
    expect(await separate()).toMatchObject({ moved: ['webhooks'] });
    expect([...aws.secrets]).toEqual(complete);
  });

  it.each(['none', 'moved'])('changes nothing on a stage whose functions do not read both (%s)', async (state) => {
    deployed(state);
    const before = [...aws.secrets];
    expect(await separate()).toMatchObject({ exitCode: 1, code: 'former_secret_not_read' });
    expect([...aws.secrets]).toEqual(before);
  });
});
