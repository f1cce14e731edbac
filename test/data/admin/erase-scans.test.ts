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
    expect(JSON.parse((await erase(orgId)).stdout)).toMatchObject({ erased: { events: 1 } });
    expect(JSON.stringify(await announcedOf(table, orgId))).not.toContain('work@trace.example');
  });
});
