import '../../support/streaming-runtime.ts';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { testAppleAccount, testGoogleAccount } from '../../../local/run/local-wallets.ts';
import { saveLink } from '../../../shared/data/sso/links.ts';
import { saveProvider } from '../../../shared/data/sso/providers.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { aMember, givenMembers } from '../../../tools/fixtures/members.ts';
import { IdentityProvider } from '../../../tools/fixtures/sso.ts';
import type { HandlerCall } from '../../support/call-handler.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

await givenStackSecret({ apple: testAppleAccount(), google: testGoogleAccount() });
// An instance keeps a secret for a minute, and files share modules.
vi.resetModules();
const { memberPasses } = await import('../../support/member-passes.ts');

const orgId = 'org_cards';
const nowMs = 1_794_000_000_000;
const login = new IdentityProvider('https://login.example.com');
const valid = aMember({ userId: 7, firstName: 'Ada', barcode: 'CARD1', expiresUnix: nowMs / 1000 + 1 });
const others = [
  aMember({ userId: 7, barcode: 'CARD2', expiresUnix: nowMs / 1000 }),
  aMember({ userId: 7, barcode: 'CARD3', statusId: 0 }),
  aMember({ userId: 7 }),
];

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
  await givenMembers(table, orgId, [valid, ...others]);
  await saveProvider(table, orgId, login.asProvider());
  for (const [subject, userId] of Object.entries({ ada: 7, grace: 8 }))
    await saveLink(table, orgId, { issuer: login.issuer, subject, userId, linkedUnix: 1 });
});

const by = (fan?: string): HandlerCall => ({
  table,
  orgId,
  nowMs,
  ...(fan !== undefined && { kind: 'storefront', ssoToken: login.token(fan) }),
});

describe.each(['apple', 'google'] as const)("the %s pass of a member's card", (wallet) => {
  it('has name and barcode for a key and for the fan who owns the membership, and is not for another fan', async () => {
    for (const call of [by(), by('ada')])
      expect(await memberPasses[wallet](valid, call)).toMatch(/Ada.*CARD1|CARD1.*Ada/s);
    await expect(memberPasses[wallet](valid, by('grace'))).rejects.toMatchObject({ code: 'resource_not_found' });
  });

  it('is none of a membership that is over, unpaid or has no barcode', async () => {
    for (const member of others)
      await expect(memberPasses[wallet](member, by())).rejects.toMatchObject({ status: 409, code: 'card_not_valid' });
  });
});
