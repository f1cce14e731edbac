import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { memberByNumber } from '../../../shared/data/admin/save-member.ts';
import { transact } from '../../../shared/data/table/transact.ts';
import { outboxItems } from '../../../shared/outbox/outbox.ts';
import { givenEvents } from '../../../tools/fixtures/events.ts';
import { scanExample } from '../../../tools/fixtures/examples/resource-examples.ts';
import { savedMember } from '../../../tools/fixtures/members.ts';
import { givenAdmin } from '../../support/admin.ts';
import { announcedOf } from '../../support/feed.ts';
import { memberDraft } from '../../support/membership-members.ts';
import { givenPersonWithTraces, scanAtGate, scansOf } from '../../support/person-with-traces.ts';
import { everyRow } from '../../support/rows/every-row.ts';

const nowMs = Date.UTC(2026, 10, 14, 12, 0, 0);
const nowUnix = nowMs / 1000;
const { table, admin } = await givenAdmin(() => nowMs);

const erase = (orgId: string) => admin('customer', 'erase', orgId, 'C-1', '--yes', '--local', '--json');

describe('customer erase', () => {
  it('erases the scans of a replaced card, but not those of a member who only shares the email address', async () => {
    const orgId = await givenPersonWithTraces(table, 'org_cards', nowUnix);
    const family = { firstName: 'Socrates', emailAddress: 'quixley@trace.example', barcode: 'CARD-77' };
    await savedMember(table, orgId, memberDraft('77', family), nowUnix);
    const [{ eventId } = { eventId: 0 }] = await givenEvents(table, orgId, [{}]);
    await scanAtGate(table, orgId, eventId, 'CARD-2');
    await scanAtGate(table, orgId, eventId, 'CARD-77');
    const now = await memberByNumber(table, orgId, '2');
    await savedMember(table, orgId, memberDraft('2', { ...now, memberNumber: '2', barcode: 'CARD-2b' }), nowUnix);
    expect(JSON.parse((await erase(orgId)).stdout)).toMatchObject({ erased: { scans: 3 }, unlinked_members: ['77'] });
    expect(await scansOf(table, orgId)).toContainEqual(['CARD-2', null, null]);
    expect(await scansOf(table, orgId)).toContainEqual(['CARD-77', 'Socrates Number 77', 'quixley@trace.example']);
  });

  it('finds the scans of an earlier release, which name no member, by the former cards of the membership and the name', async () => {
    const orgId = await givenPersonWithTraces(table, 'org_oldscans', nowUnix);
    const [{ eventId } = { eventId: 0 }] = await givenEvents(table, orgId, [{}]);
    const withCard = (number: string, change: object) =>
      savedMember(table, orgId, memberDraft(number, { ...change, memberNumber: number }), nowUnix);
    const owner = await memberByNumber(table, orgId, '2');
    const names = { firstName: 'Xanthippe', lastName: 'Quixley', emailAddress: 'forgotten@trace.example' };
    // The card of a former owner, then the person's own, which was replaced.
    await withCard('2', { ...owner, firstName: 'Ben', lastName: 'Bos', emailAddress: null, barcode: 'CARD-OF-BEN' });
    await scanAtGate(table, orgId, eventId, 'CARD-OF-BEN');
    await withCard('2', { ...owner, ...names, barcode: 'CARD-OLD' });
    await scanAtGate(table, orgId, eventId, 'CARD-OLD');
    await withCard('2', { ...owner, ...names, emailAddress: owner?.emailAddress ?? null, barcode: 'CARD-NEW' });
    for (const { pk, sk } of [...(await everyRow(table)).values()].filter((row) =>
      row.pk.startsWith(`SCN#${orgId}#`),
    )) {
      await table.client.send(
        new UpdateCommand({
          TableName: table.name,
          Key: { pk, sk },
          UpdateExpression: 'REMOVE #member, #user',
          ExpressionAttributeNames: { '#member': 'member', '#user': 'user' },
        }),
      );
    }
    expect(await erase(orgId)).toMatchObject({ exitCode: 0 });
    expect(await scansOf(table, orgId)).toContainEqual(['CARD-OLD', null, null]);
    expect(await scansOf(table, orgId)).toContainEqual(['CARD-OF-BEN', 'Ben Bos', null]);
  });

  it('erases the person from ticket.scanned events, also with another email address', async () => {
    const orgId = await givenPersonWithTraces(table, 'org_scanned', nowUnix);
    const scan = { ...scanExample, barcode: 'CARD-3', order_id: null, email_address: 'work@trace.example' };
    await transact(
      table,
      outboxItems(
        table,
        orgId,
        {
          type: 'ticket.scanned',
          data: { event_id: '1', scan, direction: 'in', scanned_at: nowUnix, timezone: 'Australia/Melbourne' },
        },
        { nowMs, requestId: 'req-1' },
      ),
    );
    // The scan, and the consent that the person gave.
    expect(JSON.parse((await erase(orgId)).stdout)).toMatchObject({ erased: { events: 2 } });
    expect(JSON.stringify(await announcedOf(table, orgId))).not.toContain('work@trace.example');
  });
});
