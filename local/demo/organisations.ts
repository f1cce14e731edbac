import { readFileSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';
import { issueKey, listKeys, revokeKey } from '../../shared/data/admin/api-keys/api-keys.ts';
import { issueGateToken, listGateTokens, revokeGateToken } from '../../shared/data/admin/gate-tokens.ts';
import { issueStorefrontToken, listStorefrontTokens } from '../../shared/data/admin/storefront-tokens.ts';
import { inspectKey } from '../../shared/data/auth/admit-key.ts';
import { createOrganisation, type OrganisationRecord } from '../../shared/data/organisations/organisation.ts';
import { readBook, saveReceiptSettings } from '../../shared/data/receipts/book.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { keyState } from '../../shared/domain/auth/api-keys.ts';
import { type Scope, scopes } from '../../shared/domain/auth/scopes.ts';
import { defaultStorefrontLimits } from '../../shared/domain/auth/storefront.ts';
import { gateTokenMaker, keyMaker, storefrontTokenMaker, type TokenSigner } from '../../shared/http/auth/sign-token.ts';
import { parseSigningKeys, readToken } from '../../shared/http/auth/signed-token.ts';
import type { Clock } from '../../shared/platform/clock.ts';
import { issueReceipts } from '../../shared/sales/receipts/issue-receipts.ts';

const DemoOrganisation = v.strictObject({
  org_id: v.string(),
  name: v.string(),
  api_key: v.string(),
  read_only_key: v.string(),
  /** For the server of the sample shop's back office. */
  office_key: v.string(),
  publishable_key: v.string(),
  /** For gate devices: all gates and events. */
  gate_token: v.string(),
});
export type DemoOrganisation = v.InferOutput<typeof DemoOrganisation>;

const DemoFile = v.array(DemoOrganisation);

const noExtras = {
  businessNumber: null,
  paymentAccountId: null,
  logoImage: null,
  backgroundImage: null,
  favicon: null,
  createdUnix: Date.UTC(2026, 0, 1) / 1000,
};

/** Two organisations of different kinds, in different time zones. */
const organisations: readonly OrganisationRecord[] = [
  {
    ...noExtras,
    orgId: 'org_harbourfc',
    name: 'Harbour City FC',
    company: 'Harbour City Football Club Ltd',
    businessNumber: '51 824 753 556',
    country: 'AU',
    timezone: 'Australia/Melbourne',
    locale: 'en',
    backgroundColor: '#0b2545',
  },
  {
    ...noExtras,
    orgId: 'org_lantern',
    name: 'Lantern Theatre',
    company: 'The Lantern Theatre Trust',
    country: 'GB',
    timezone: 'Europe/London',
    locale: 'en',
    backgroundColor: '#7a1f1f',
  },
];

/** What each key of the demo may do. The office reads to count scans. */
const keyScopes = {
  api_key: scopes,
  read_only_key: ['read'],
  office_key: ['read', 'catalogue:write', 'orders:write', 'baskets:write', 'counter', 'finance'],
} as const satisfies Partial<Record<keyof DemoOrganisation, readonly Scope[]>>;

/** The club issues receipts, from its first sale on. A new demo has those of its sales at once, and not after the worker's next minute. */
async function switchOnReceipts(table: Table, clock: Clock): Promise<void> {
  const orgId = 'org_harbourfc';
  if ((await readBook(table, orgId)) !== undefined) return;
  await saveReceiptSettings(table, orgId, undefined, {
    sinceUnix: noExtras.createdUnix,
    seller: {
      name: 'Harbour City Football Club Ltd',
      address: '1 Quay Street\nMelbourne VIC 3000',
      taxId: 'ABN 51 824 753 556',
    },
    prefix: 'R-',
    creditPrefix: 'C-',
    yearly: true,
    keepYears: 10,
  });
  await issueReceipts({ table, clock, hasTime: () => true }, orgId);
}

/**
 * Creates the demo organisations if they are missing. The table stores only hashes of keys, so a file in the data folder keeps
 * the keys. When the file is missing, the old demo keys are revoked and new ones issued.
 */
export async function seedDemoOrganisations(
  table: Table,
  signer: TokenSigner,
  keyFile: string | undefined,
  clock: Clock,
): Promise<readonly DemoOrganisation[]> {
  for (const organisation of organisations) await createOrganisation(table, organisation);
  await switchOnReceipts(table, clock);
  const kept = keyFile === undefined ? undefined : readDemoFile(keyFile);
  if (kept !== undefined && (await doAllKeysWork(table, signer, kept))) return kept;
  const demo: DemoOrganisation[] = [];
  for (const { orgId, name } of organisations) {
    await revokeDemoKeys(table, orgId);
    demo.push({
      org_id: orgId,
      name,
      api_key: await issue(table, signer, orgId, keyScopes.api_key),
      read_only_key: await issue(table, signer, orgId, keyScopes.read_only_key),
      office_key: await issue(table, signer, orgId, keyScopes.office_key),
      publishable_key: await publishableKey(table, signer, orgId),
      gate_token: await gateToken(table, signer, orgId),
    });
  }
  if (keyFile !== undefined) writeFileSync(keyFile, JSON.stringify(demo, null, 2), { mode: 0o600 });
  return demo;
}

/**
 * The keys that are printed at the start must work: the CLI may have revoked or rotated them, and those of an earlier version may lack
 * a scope.
 */
async function doAllKeysWork(table: Table, signer: TokenSigner, demo: readonly DemoOrganisation[]): Promise<boolean> {
  const accepted = parseSigningKeys(signer.publicKey);
  const names = ['api_key', 'read_only_key', 'office_key'] as const;
  const keys = demo.flatMap((one) => names.map((name) => ({ text: one[name], needed: keyScopes[name] })));
  const working = await Promise.all(
    keys.map(async ({ text, needed }) => {
      const key = readToken(text, accepted);
      const found = typeof key === 'object' ? await inspectKey(table, key, Date.now()) : undefined;
      return found?.outcome === 'recognised' && needed.every((scope) => found.scopes.includes(scope));
    }),
  );
  const live = await Promise.all(demo.map(({ org_id }) => liveTokens(table, org_id)));
  const gates = await Promise.all(demo.map(({ org_id }) => liveGateTokens(table, org_id)));
  return (
    working.every((works) => works) &&
    demo.every(({ publishable_key }, index) => live[index]?.some(({ text }) => text === publishable_key)) &&
    demo.every(({ gate_token }, index) => {
      const token = readToken(gate_token, accepted);
      return typeof token === 'object' && gates[index]?.some(({ tokenId }) => tokenId === token.keyId);
    })
  );
}

/** Pages of the developer's own machine may use the storefront token, on every port. */
const origins = ['http://localhost:*', 'http://127.0.0.1:*'];

/** The text of a storefront token is stored, so a token of an earlier start is found again. */
async function publishableKey(table: Table, signer: TokenSigner, orgId: string): Promise<string> {
  const accepted = parseSigningKeys(signer.publicKey);
  const kept = (await liveTokens(table, orgId)).find(
    (token) => token.label === label && typeof readToken(token.text, accepted) === 'object',
  );
  if (kept !== undefined) return kept.text;
  const nowUnix = Math.floor(Date.now() / 1000);
  const fields = { orgId, nowUnix, label, mode: 'test', origins, ...defaultStorefrontLimits } as const;
  return (await issueStorefrontToken(table, fields, storefrontTokenMaker(signer))).text;
}

async function liveTokens(table: Table, orgId: string) {
  const nowUnix = Math.floor(Date.now() / 1000);
  return (await listStorefrontTokens(table, orgId)).filter((token) => keyState(token, nowUnix) === 'live');
}

/** Issues a gate token and revokes the demo's earlier ones, whose texts are lost: only hashes are stored. */
async function gateToken(table: Table, signer: TokenSigner, orgId: string): Promise<string> {
  const nowUnix = Math.floor(Date.now() / 1000);
  for (const { label: text, tokenId } of await liveGateTokens(table, orgId)) {
    if (text === label) await revokeGateToken(table, { orgId, tokenId, nowUnix });
  }
  const fields = { label, gates: 'all', events: 'all', createdUnix: nowUnix, expiresUnix: null } as const;
  return (await issueGateToken(table, orgId, fields, gateTokenMaker(signer))).text;
}

async function liveGateTokens(table: Table, orgId: string) {
  return (await listGateTokens(table, orgId)).filter(({ revokedUnix }) => revokedUnix === null);
}

const label = 'demo';

async function issue(table: Table, signer: TokenSigner, orgId: string, granted: readonly Scope[]): Promise<string> {
  const request = { orgId, label, mode: 'test', scopes: granted, expiresUnix: null, nowMs: Date.now() } as const;
  const issued = await issueKey(table, request, keyMaker(signer));
  if (issued.outcome !== 'issued') throw new Error(`The demo key of ${orgId} was not issued: ${issued.outcome}.`);
  return issued.text;
}

async function revokeDemoKeys(table: Table, orgId: string): Promise<void> {
  const listed = await listKeys(table, orgId);
  const keys = listed.outcome === 'listed' ? listed.keys : [];
  for (const key of keys.filter((candidate) => candidate.label === label && candidate.revokedUnix === null)) {
    await revokeKey(table, { orgId, keyId: key.keyId, nowMs: Date.now() });
  }
}

function readDemoFile(file: string): readonly DemoOrganisation[] | undefined {
  try {
    const parsed = v.safeParse(DemoFile, JSON.parse(readFileSync(file, 'utf8')));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}
