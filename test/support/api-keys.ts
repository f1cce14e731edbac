import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { type IssueRequest, issueKey, listKeys } from '../../shared/data/admin/api-keys/api-keys.ts';
import { type RotateRequest, rotateKey } from '../../shared/data/admin/api-keys/rotate.ts';
import type { ApiKeyRecord } from '../../shared/data/admin/api-keys/row.ts';
import { admitKey } from '../../shared/data/auth/admit-key.ts';
import { authKey } from '../../shared/data/table/keys.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { givenOrganisation } from '../../tools/fixtures/auth.ts';
import { makeKey, parseKey } from '../../tools/fixtures/signing-key.ts';

export const noon = Date.UTC(2026, 10, 14, 12, 0, 0);
export const noonUnix = noon / 1000;
export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** What tests of API keys do on their table. Every request is made at noon unless a test says otherwise. */
export function apiKeyFixture(table: Table) {
  let organisations = 0;

  function givenClub(): Promise<string> {
    organisations += 1;
    return givenOrganisation(table, `org_keys${organisations}`);
  }

  function issue(orgId: string, request: Partial<IssueRequest> = {}, through = table) {
    return issueKey(
      through,
      { orgId, label: 'website', mode: 'live', scopes: ['read', 'sso'], expiresUnix: null, nowMs: noon, ...request },
      makeKey,
    );
  }

  async function givenKey(
    orgId: string,
    request: Partial<IssueRequest> = {},
  ): Promise<{ keyId: string; text: string }> {
    const issued = await issue(orgId, request);
    if (issued.outcome !== 'issued') throw new Error(`The key was not issued: ${issued.outcome}`);
    return { keyId: issued.key.keyId, text: issued.text };
  }

  function rotate(orgId: string, request: Partial<RotateRequest> = {}, through = table) {
    return rotateKey(through, { orgId, keyId: '1', nowMs: noon, ...request }, makeKey);
  }

  async function admitOnce(text: string, nowMs: number): Promise<string> {
    const key = parseKey(text);
    if (key === undefined) throw new Error('An issued key cannot be parsed.');
    return (await admitKey(table, key, nowMs)).outcome;
  }

  async function keysOf(orgId: string): Promise<readonly ApiKeyRecord[]> {
    const listed = await listKeys(table, orgId);
    return listed.outcome === 'listed' ? listed.keys : [];
  }

  async function authItemOf(orgId: string): Promise<Record<string, unknown>> {
    const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key: authKey(orgId) }));
    return Item ?? {};
  }

  /** The key ids in the auth item. */
  async function storedKeyIds(orgId: string): Promise<string[]> {
    return Object.keys(await authItemOf(orgId)).flatMap((attribute) => /^h(\w+)$/.exec(attribute)?.[1] ?? []);
  }

  return { givenClub, givenKey, issue, rotate, admitOnce, keysOf, authItemOf, storedKeyIds };
}
