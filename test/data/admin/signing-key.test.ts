import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { parseSigningKeys, readToken } from '../../../shared/http/auth/signed-token.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { adminTool } from '../../support/admin.ts';
import { type OperatorAws, startOperatorAws } from '../../support/operator-aws.ts';
import { createTestTable } from '../../support/table.ts';

const secretName = 'gateline/prod/signing-key';
const folder = mkdtempSync(join(tmpdir(), 'gateline-signing-'));
const publicKeysFile = join(folder, 'signing-keys.json');
const admin = adminTool({ localFile: join(folder, 'admin.json'), publicKeysFile, nowMs: () => Date.now() });

let aws: OperatorAws;
let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
  await givenOrganisation(table, 'org_club');
  aws = await startOperatorAws();
});
afterAll(async () => {
  await aws.stop();
  table.client.destroy();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  aws.stubEnvironment();
  aws.secrets.clear();
  aws.keys.clear();
  aws.stacks = {};
  writeFileSync(publicKeysFile, '{"dev":[],"prod":[]}');
});
afterEach(() => vi.unstubAllEnvs());

const listed = (): string[] => JSON.parse(readFileSync(publicKeysFile, 'utf8')).prod;
const stored = (): string[] => JSON.parse(aws.secrets.get(secretName) ?? '{"private_keys":[]}').private_keys;

/** Deploys the public keys that are listed now. */
const deploy = (): void => {
  aws.stacks = {
    'Gateline-prod-state': { TableName: table.name },
    'Gateline-prod-service': { SigningKeys: listed().join(',') || 'none' },
  };
};

async function run(...words: readonly string[]) {
  const { exitCode, stdout, stderr } = await admin(...words, '--stage', 'prod', '--json');
  return exitCode === 0 ? { exitCode, ...JSON.parse(stdout) } : { exitCode, ...JSON.parse(stderr).error };
}

const issue = () => run('key', 'issue', 'org_club', '--scopes', 'read');

describe('admin signing-key create', () => {
  it('stores the private key in a secret and lists the public key, once', async () => {
    const created = await run('signing-key', 'create');
    expect(created).toMatchObject({ exitCode: 0, stage: 'prod', changed: true, data: [{ public_key: listed()[0] }] });
    expect(stored()).toHaveLength(1);
    expect(JSON.stringify(created)).not.toContain(stored()[0]);
    const before = aws.secrets.get(secretName);
    expect(await run('signing-key', 'create')).toMatchObject({ changed: false, data: created.data });
    expect(aws.secrets.get(secretName)).toBe(before);
  });

  it('lists the key of a secret that exists, after a crash or in another clone', async () => {
    await run('signing-key', 'create');
    const [publicKey] = listed();
    writeFileSync(publicKeysFile, '{}');
    expect(await run('signing-key', 'create')).toMatchObject({ changed: true, data: [{ public_key: publicKey }] });
    expect(stored()).toHaveLength(1);
  });

  it('refuses an account that does not have the private key of what is listed', async () => {
    await run('signing-key', 'create');
    const before = listed();
    aws.secrets.clear();
    expect(await run('signing-key', 'create')).toMatchObject({ exitCode: 1, code: 'signing_secret_missing' });
    expect([listed(), stored()]).toEqual([before, []]);
  });

  it('works on a stage only', async () => {
    const { exitCode, stderr } = await admin('signing-key', 'create', '--local');
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining('use --stage') });
  });
});

describe('admin key issue on a stage', () => {
  it('signs with the key that the deployed functions know', async () => {
    await run('signing-key', 'create');
    deploy();
    const { api_key, signer } = await issue();
    expect(readToken(api_key, parseSigningKeys(listed().join(',')))).toMatchObject({ orgId: 'org_club' });
    expect(api_key).toContain(`_${signer}`);
  });

  it('refuses while no signing key is deployed, and issues nothing', async () => {
    aws.stacks = {
      'Gateline-prod-state': { TableName: table.name },
      'Gateline-prod-service': { SigningKeys: 'none' },
    };
    expect(await issue()).toMatchObject({ exitCode: 1, code: 'signing_key_not_deployed' });
    await run('signing-key', 'create');
    const before = await run('key', 'list', 'org_club');
    expect(await issue()).toMatchObject({ exitCode: 1, code: 'signing_key_not_deployed' });
    expect(await run('key', 'list', 'org_club')).toEqual(before);
  });

  it('refuses with --table, because a signing key belongs to a stage', async () => {
    const words = ['key', 'issue', 'org_club', '--scopes', 'read', '--table', table.name];
    expect(await admin(...words)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Use --stage') });
  });
});

describe('admin signing-key rotate and retire', () => {
  it('the secret is encrypted with the key of the stage as soon as there is one', async () => {
    await run('signing-key', 'create');
    expect(aws.keys.get(secretName)).toBeUndefined();
    aws.stacks = { 'Gateline-prod-state': { TableName: table.name, DataKeyArn: 'arn:aws:kms:key/1' } };
    await run('signing-key', 'rotate');
    expect(aws.keys.get(secretName)).toBe('arn:aws:kms:key/1');
  });

  it('after a rotation the new key signs as soon as it is deployed, and the old one is retired later', async () => {
    await run('signing-key', 'create');
    deploy();
    const first = (await issue()).signer;
    expect(await run('signing-key', 'rotate')).toMatchObject({ changed: true });
    expect([listed().length, stored().length]).toEqual([2, 2]);
    expect((await issue()).signer).toBe(first);
    deploy();
    const second = (await issue()).signer;
    expect(second).not.toBe(first);
    expect(await run('signing-key', 'retire', second, '--yes')).toMatchObject({
      exitCode: 1,
      code: 'newest_signing_key',
    });
    expect(await run('signing-key', 'retire', first, '--yes')).toMatchObject({
      changed: true,
      data: [{ signer: second }],
    });
    expect([listed().length, stored().length]).toEqual([1, 1]);
    expect(await run('signing-key', 'retire', first, '--yes')).toMatchObject({ changed: false });
  });

  it('an interrupted rotation is completed when it is repeated', async () => {
    await run('signing-key', 'create');
    const before = readFileSync(publicKeysFile, 'utf8');
    await run('signing-key', 'rotate');
    const after = listed();
    writeFileSync(publicKeysFile, before);
    await run('signing-key', 'rotate');
    expect([listed(), stored().length]).toEqual([after, 2]);
  });

  it.each(['rotate', 'retire abcd'])('%s refuses a stage without a signing key', async (words) => {
    expect(await run('signing-key', ...words.split(' '))).toMatchObject({ exitCode: 1, code: 'signing_key_missing' });
  });
});
