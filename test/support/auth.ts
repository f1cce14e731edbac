import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  countAttribute,
  encodeScopes,
  expiryAttribute,
  hashAttribute,
  scopesAttribute,
} from '../../shared/data/auth/auth-item.ts';
import { createOrganisation } from '../../shared/data/organisations/organisation.ts';
import { authKey, gateAuthKey, type ItemKey } from '../../shared/data/table/keys.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { type WindowName, windowIndex } from '../../shared/domain/auth/rate-windows.ts';
import { scopes as allScopes, type Scope } from '../../shared/domain/auth/scopes.ts';
import { type NewToken, signToken, type TokenSigner } from '../../shared/http/auth/sign-token.ts';
import { parseGateToken, testSigner } from './signing-key.ts';

/** An organisation without data: only its record and its auth item. */
export async function givenOrganisation(table: Table, orgId: string): Promise<string> {
  await createOrganisation(table, {
    orgId,
    name: `Name of ${orgId}`,
    company: null,
    businessNumber: null,
    paymentAccountId: null,
    country: 'AU',
    timezone: 'Australia/Melbourne',
    logoImage: null,
    backgroundImage: null,
    favicon: null,
    backgroundColor: null,
    createdUnix: 1_700_000_000,
  });
  return orgId;
}

/** An API key, written directly into the auth item. The CLI commands around it have their own tests. */
export async function givenKey(
  table: Table,
  orgId: string,
  {
    keyId = '1',
    scopes = allScopes,
    expiresUnix,
    signer = testSigner,
  }: { keyId?: string; scopes?: readonly Scope[]; expiresUnix?: number; signer?: TokenSigner } = {},
): Promise<NewToken> {
  const key = signToken('test', orgId, keyId, signer);
  const attributes: [string, unknown][] = [
    [hashAttribute(keyId), key.hash],
    [scopesAttribute(keyId), encodeScopes(scopes)],
    ...(expiresUnix === undefined ? [] : [[expiryAttribute(keyId), expiresUnix] satisfies [string, unknown]]),
  ];
  await setAuthAttributes(table, orgId, attributes);
  return key;
}

/** Sets the count of a rate limit window, so that a test need not send 29,975 requests. */
export async function givenCount(
  table: Table,
  orgId: string,
  { window, keyId = '1', nowMs, count }: { window: WindowName; keyId?: string; nowMs: number; count: number },
): Promise<void> {
  await setAuthAttributes(table, orgId, [[countAttribute(window, keyId, windowIndex(window, nowMs)), count]]);
}

/** Sets the count of a gate token's window. */
export async function givenGateCount(table: Table, text: string, nowMs: number, count: number): Promise<void> {
  const token = parseGateToken(text);
  if (token === undefined) throw new Error('The token cannot be parsed.');
  const attribute = countAttribute('key_minute', token.keyId, windowIndex('gate_minute', nowMs));
  await setAttributes(table, gateAuthKey(token.orgId, token.keyId), [[attribute, count]]);
}

const setAuthAttributes = (table: Table, orgId: string, attributes: readonly (readonly [string, unknown])[]) =>
  setAttributes(table, authKey(orgId), attributes);

async function setAttributes(
  table: Table,
  Key: ItemKey,
  attributes: readonly (readonly [string, unknown])[],
): Promise<void> {
  await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key,
      UpdateExpression: `SET ${attributes.map((_, index) => `#${index} = :${index}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(attributes.map(([name], index) => [`#${index}`, name])),
      ExpressionAttributeValues: Object.fromEntries(attributes.map(([, value], index) => [`:${index}`, value])),
    }),
  );
}
