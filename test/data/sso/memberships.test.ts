import { beforeAll, describe, expect, it } from 'vitest';
import { handle as list } from '../../../functions/api/sso/list-sso-memberships.ts';
import { saveMember } from '../../../shared/data/admin/save-member.ts';
import { saveLink } from '../../../shared/data/sso/links.ts';
import { saveProvider } from '../../../shared/data/sso/providers.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { listSsoMemberships } from '../../../shared/operations/sso/list-sso-memberships.ts';
import { aMember, givenMembers } from '../../../tools/fixtures/members.ts';
import { IdentityProvider } from '../../../tools/fixtures/sso.ts';
import { callHandler } from '../../support/call-handler.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_memberships';
const login = new IdentityProvider('https://login.example.com');
const [ada, grace] = [7, 8];
let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
  await saveProvider(table, orgId, login.asProvider());
  for (const [subject, userId] of Object.entries({ ada, grace })) {
    await saveLink(table, orgId, { issuer: login.issuer, subject, userId, linkedUnix: 1 });
  }
});

const membershipsOf = async (subject: string) => {
  const call = { table, orgId, ssoToken: login.token(subject) };
  const { data } = await callHandler(listSsoMemberships, list, {}, call);
  return data;
};

describe('list-sso-memberships', () => {
  it("list-sso-memberships returns the fan's own memberships, oldest first, with card and seat", async () => {
    const seat = { seatSection: 'E', seatAisle: '4', seatRow: 'H', seatLevel: '1', seatGate: '3', seatTitle: '12' };
    const type = { typeId: 7, typeTitle: 'Adult', categoryTitle: 'Season 2026' };
    const [first, second] = [
      aMember({ memberId: 100, memberNumber: 'M-1', barcode: 'CARD-1', userId: ada, expiresUnix: 9, ...type, ...seat }),
      aMember({ memberId: 200, memberNumber: 'M-2', userId: ada, statusId: 3 }),
    ];
    await givenMembers(table, orgId, [second, first, aMember({ userId: grace })]);
    expect(await membershipsOf('ada')).toEqual([
      {
        membership_member_id: 100,
        member_number: 'M-1',
        first_name: first.firstName,
        last_name: first.lastName,
        membership_type_id: 7,
        category_title: 'Season 2026',
        type_title: 'Adult',
        barcode: 'CARD-1',
        membership_member_status_id: first.statusId,
        expires: 9,
        auto_renew: 0,
        cancelled_at: null,
        seat_section: 'E',
        seat_aisle: '4',
        seat_row: 'H',
        seat_level: '1',
        seat_gate: '3',
        seat_title: '12',
      },
      expect.objectContaining({ member_number: 'M-2', membership_member_status_id: 3 }),
    ]);
  });

  it('list-sso-memberships follows a membership that moves to another customer', async () => {
    const { memberId: _id, memberNumber: _number, version: _version, ...fields } = aMember({ userId: grace });
    const save = (userId: number | null) =>
      saveMember(table, {
        orgId,
        memberNumber: 'M-9',
        nowUnix: 1,
        draft: () => ({ ...fields, barcode: 'M9', userId }),
      });
    const numbers = async (subject: string) => JSON.stringify(await membershipsOf(subject));
    await save(grace);
    expect([await numbers('grace'), await numbers('ada')]).toEqual([
      expect.stringContaining('"M-9"'),
      expect.not.stringContaining('"M-9"'),
    ]);
    await save(ada);
    expect([await numbers('grace'), await numbers('ada')]).toEqual([
      expect.not.stringContaining('"M-9"'),
      expect.stringContaining('"M-9"'),
    ]);
    await save(null);
    expect(await numbers('ada')).not.toContain('"M-9"');
  });
});
