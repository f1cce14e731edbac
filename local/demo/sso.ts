import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { everyCustomer } from '../../shared/data/admin/read-all.ts';
import { findCustomerWithVerifiedAddress } from '../../shared/data/customers/with-verified-address.ts';
import { membersOfCustomer } from '../../shared/data/members/of-customer.ts';
import { ordersOfUser } from '../../shared/data/orders/read.ts';
import { removeLink, saveLink } from '../../shared/data/sso/links.ts';
import { saveProvider } from '../../shared/data/sso/providers.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { CustomerRecord } from '../../shared/domain/customers/customer.ts';
import { isPaying } from '../../shared/domain/members/status.ts';

/** The file in which the local run keeps its identity provider's private key. */
export const demoSsoFile = 'sso-demo.json';

/**
 * Users of the demo's identity provider. One is linked to a customer, the others are not. The verified one has a verified email
 * address that belongs to exactly one customer, so link-sso-user links it. The one of the staff may open the sample shop's back office.
 */
export const demoUsers = ['linked', 'unlinked', 'verified', 'staff'] as const;
export type DemoUser = (typeof demoUsers)[number];

const DemoSso = v.strictObject({
  org_id: v.string(),
  key_id: v.string(),
  /** PKCS #8, so `npm run admin -- sso token` can sign too. */
  private_key: v.string(),
  /** What the provider knows of its users: the claims of a profile, as OpenID Connect names them. */
  profiles: v.optional(
    v.record(v.string(), v.strictObject({ given_name: v.string(), family_name: v.string(), email: v.string() })),
  ),
  /** The address of the verified user; null if no customer has an address of its own. */
  verified_email: v.nullable(v.string()),
});
/** The signing key of the demo's identity provider. */
export type DemoSso = v.InferOutput<typeof DemoSso>;

const issuer = 'https://login.harbourfc.example';
const audience = 'harbourfc-fans';
const subjectOf = (user: DemoUser): string => (user === 'staff' ? 'box-office' : `${user}-fan`);
const algorithm = 'ES256';

/**
 * Registers an identity provider for a demo organisation, with a new key pair at every start: the private key exists only while
 * the service runs. The linked user keeps the link of the first start.
 */
export async function seedDemoSso(table: Table, orgId: string, nowUnix: number): Promise<DemoSso> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key_id = `demo-${nowUnix}`;
  await saveProvider(table, orgId, {
    providerId: 'demo',
    issuer,
    audiences: [audience],
    algorithms: [algorithm],
    keys: { kind: 'inline', jwks: keySet(publicKey, key_id) },
    trustsEmail: true,
    createdUnix: nowUnix,
  });
  const customers = await oldestCustomers(table, orgId);
  const userId = await findBuyer(table, orgId, customers);
  if (userId !== undefined) {
    await saveLink(table, orgId, { issuer, subject: subjectOf('linked'), userId, linkedUnix: nowUnix });
  }
  // A call of an earlier run may have linked it.
  await removeLink(table, orgId, { issuer, subject: subjectOf('verified') });
  const others = customers.filter((customer) => customer.userId !== userId);
  const verified_email = (await findOnlyOwner(table, orgId, others)) ?? null;
  const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const profiles = {
    unlinked: { given_name: 'Robin', family_name: 'Newcomer', email: 'robin@example.com' },
    ...profileOf(
      'linked',
      customers.find((customer) => customer.userId === userId),
    ),
    ...profileOf(
      'verified',
      customers.find(({ emailAddress }) => emailAddress === verified_email),
    ),
  };
  return { org_id: orgId, key_id, private_key, profiles, verified_email };
}

function profileOf(user: DemoUser, customer: CustomerRecord | undefined): NonNullable<DemoSso['profiles']> {
  const { firstName, lastName, emailAddress } = customer ?? {};
  if (!firstName || !lastName || !emailAddress) return {};
  return { [user]: { given_name: firstName, family_name: lastName, email: emailAddress } };
}

function keySet(publicKey: KeyObject, key_id: string): string {
  const key = { ...publicKey.export({ format: 'jwk' }), kid: key_id, alg: algorithm, use: 'sig' };
  return JSON.stringify({ keys: [key] });
}

/** What a relying party knows of the demo's identity provider. */
export function demoProvider({ private_key, key_id }: DemoSso) {
  return { issuer, audience, keys: keySet(createPublicKey(private_key), key_id) };
}

/** How many customers are searched for one with an order and a membership; in every demo one of the first 50 has both. */
const maxSearched = 50;

/** The oldest paying member with a confirmed order, or else the oldest customer with one, or else the oldest customer. */
async function findBuyer(
  table: Table,
  orgId: string,
  customers: readonly CustomerRecord[],
): Promise<number | undefined> {
  const buyers: number[] = [];
  for (const { userId } of customers) {
    if ((await ordersOfUser(table, orgId, userId, 'confirmed')).length === 0) continue;
    if (await isPayingMember(table, orgId, userId)) return userId;
    buyers.push(userId);
  }
  return buyers[0] ?? customers[0]?.userId;
}

/** A fan with a membership can buy at the prices for members. */
async function isPayingMember(table: Table, orgId: string, userId: number): Promise<boolean> {
  return (await membersOfCustomer(table, orgId, userId)).some(({ statusId }) => isPaying(statusId));
}

async function oldestCustomers(table: Table, orgId: string): Promise<readonly CustomerRecord[]> {
  for await (const customers of everyCustomer(table, orgId)) return customers.slice(0, maxSearched);
  return [];
}

/** The address of the oldest of these customers who shares it with no other customer; a paying member, if there is one. */
async function findOnlyOwner(
  table: Table,
  orgId: string,
  customers: readonly CustomerRecord[],
): Promise<string | undefined> {
  const owned: string[] = [];
  for (const { emailAddress, userId } of customers) {
    if (emailAddress === null) continue;
    const { outcome } = await findCustomerWithVerifiedAddress(table, orgId, emailAddress);
    if (outcome !== 'found') continue;
    if (await isPayingMember(table, orgId, userId)) return emailAddress;
    owned.push(emailAddress);
  }
  return owned[0];
}

/** Two centuries: `npm run clock` moves the time by one at most, and the tokens of run.json live on. */
const lifetimeSeconds = 200 * 365 * 86_400;

/** A token that the demo's identity provider issues to one of its users. */
export function demoToken(
  { key_id, private_key, profiles, verified_email }: DemoSso,
  user: DemoUser,
  nowUnix: number,
): string {
  const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = {
    iss: issuer,
    aud: audience,
    sub: subjectOf(user),
    iat: nowUnix,
    exp: nowUnix + lifetimeSeconds,
    ...profiles?.[user],
    ...(user === 'verified' && { email: verified_email, email_verified: true }),
    ...(user === 'staff' && { name: 'Sam of the box office', groups: ['staff'] }),
  };
  const input = `${encoded({ alg: algorithm, typ: 'JWT', kid: key_id })}.${encoded(claims)}`;
  const key = { key: createPrivateKey(private_key), dsaEncoding: 'ieee-p1363' } as const;
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`;
}

/** The tokens that run.json contains for scripts. */
export function demoTokens(sso: DemoSso, nowUnix: number) {
  return {
    linked_token: demoToken(sso, 'linked', nowUnix),
    unlinked_token: demoToken(sso, 'unlinked', nowUnix),
    verified_token: demoToken(sso, 'verified', nowUnix),
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
