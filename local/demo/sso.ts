import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { everyCustomer } from '../../shared/data/admin/read-all.ts';
import { ordersOfUser } from '../../shared/data/orders/read.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { saveLink } from '../../shared/sso/links.ts';
import { saveProvider } from '../../shared/sso/providers.ts';

/** The file in which the local run keeps its identity provider's private key. */
export const demoSsoFile = 'sso-demo.json';

/** Two users of the demo's identity provider: one is linked to a customer, the other is not. */
export const demoUsers = ['linked', 'unlinked'] as const;
export type DemoUser = (typeof demoUsers)[number];

const DemoSso = v.strictObject({
  org_id: v.string(),
  key_id: v.string(),
  /** PKCS #8, so that `npm run admin -- sso token` can sign too. */
  private_key: v.string(),
});
/** The signing key of the demo's identity provider. */
export type DemoSso = v.InferOutput<typeof DemoSso>;

const issuer = 'https://login.harbourfc.example';
const audience = 'harbourfc-fans';
const subjectOf = (user: DemoUser): string => `${user}-fan`;
const algorithm = 'ES256';

/**
 * Registers an identity provider for a demo organisation, with a new key pair at every start: the private key exists only while
 * the service runs. The linked user keeps the link of the first start.
 */
export async function seedDemoSso(table: Table, orgId: string, nowUnix: number): Promise<DemoSso> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key_id = `demo-${nowUnix}`;
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: key_id, alg: algorithm, use: 'sig' };
  await saveProvider(table, orgId, {
    providerId: 'demo',
    issuer,
    audiences: [audience],
    algorithms: [algorithm],
    keys: { kind: 'inline', jwks: JSON.stringify({ keys: [jwk] }) },
    createdUnix: nowUnix,
  });
  const userId = await findBuyer(table, orgId);
  if (userId !== undefined) {
    await saveLink(table, orgId, { issuer, subject: subjectOf('linked'), userId, linkedUnix: nowUnix });
  }
  return { org_id: orgId, key_id, private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

/** How many customers are searched for one with an order; in every demo one of the first 50 has one. */
const maxSearched = 50;

/** The oldest customer with a confirmed order, or else the oldest customer. */
async function findBuyer(table: Table, orgId: string): Promise<number | undefined> {
  for await (const customers of everyCustomer(table, orgId)) {
    for (const { userId } of customers.slice(0, maxSearched)) {
      if ((await ordersOfUser(table, orgId, userId, 'confirmed')).length > 0) return userId;
    }
    return customers[0]?.userId;
  }
  return undefined;
}

const lifetimeSeconds = 86_400;

/** A token that the demo's identity provider issues to one of its users. */
export function demoToken({ key_id, private_key }: DemoSso, user: DemoUser, nowUnix: number): string {
  const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { iss: issuer, aud: audience, sub: subjectOf(user), iat: nowUnix, exp: nowUnix + lifetimeSeconds };
  const input = `${encoded({ alg: algorithm, typ: 'JWT', kid: key_id })}.${encoded(claims)}`;
  const key = { key: createPrivateKey(private_key), dsaEncoding: 'ieee-p1363' } as const;
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`;
}

/** The tokens that run.json contains for scripts. */
export function demoTokens(sso: DemoSso, nowUnix: number) {
  return {
    linked_token: demoToken(sso, 'linked', nowUnix),
    unlinked_token: demoToken(sso, 'unlinked', nowUnix),
  };
}

/** Reads the key that the local run wrote for the CLI. Undefined when nothing runs. */
export function readDemoSso(file: string): DemoSso | undefined {
  try {
    return v.parse(DemoSso, JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}
