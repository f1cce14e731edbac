import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findMember } from '../../../shared/data/scans/find-member.ts';
import { type FindSubject, findTicket } from '../../../shared/data/scans/find-ticket.ts';
import { recordScan } from '../../../shared/data/scans/record.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { aScan } from '../../../tools/fixtures/orders.ts';
import { eventOperations } from '../../support/event-operations.ts';
import { tableWithFaults } from '../../support/figures/figures-agreement.ts';
import { Files, importInto, overtaking } from '../../support/import-files.ts';
import { givenMatchDay } from '../../support/match-day.ts';
import { randomDay } from '../../support/scan-histories.ts';
import { createTestTable } from '../../support/table.ts';
import { amount } from '../../support/thorough.ts';

let table: Table;
const files = new Files();
afterAll(() => files.remove());

beforeAll(async () => {
  ({ table } = await createTestTable());
});

describe('concurrent scans of one barcode', () => {
  it.each([
    ['fifty', 'ticket', 50],
    ['a dozen', 'member', 12],
  ] as const)('%s gates that scan concurrently admit the %s once', async (_count, kind, count) => {
    const day = await givenMatchDay(table);
    const { barcode } = kind === 'ticket' ? await day.sell() : await day.enrol();
    const responses = await Promise.all(
      Array.from({ length: count }, (_, gate) => day.scan(barcode, { gate_id: gate + 1, nonce: `${gate}` })),
    );
    const ok = responses.filter(({ result }) => result === 'ok');
    const refused = responses.filter(({ result }) => result === 'already_scanned');
    expect([ok.length, refused.length]).toEqual([1, count - 1]);
    for (const { first_scan } of refused) expect(first_scan).toEqual(ok[0]?.scan);
    expect(await eventOperations(() => table, day.orgId).scans(day.eventId)).toMatchObject({ total: count });
  });
});

describe('a member card that is replaced while a gate scans it', () => {
  it('is no longer the card of the member, whose new card is not scanned', async () => {
    const day = await givenMatchDay(table);
    const { barcode, memberNumber } = await day.enrol();
    const file = files.write('card.ndjson', JSON.stringify({ member_number: memberNumber, barcode: 'NEWCARD' }));
    const replace = () => importInto(table, { orgId: day.orgId, dataset: 'members', file });
    // The item of the barcode is read with BatchGetItem, the member after it.
    const slow = overtaking(table, 'Get', 1, replace);
    const find: FindSubject = async (read) => (await findMember(slow, read)) ?? findTicket(read);
    const scan = { ...aScan(barcode), eventId: day.eventId };
    const recorded = await recordScan(slow, { orgId: day.orgId, nonce: null, scan }, { find });
    expect(recorded.scan).toMatchObject({ result: 'invalid', barcode });
    expect((await day.scan('NEWCARD')).result).toBe('ok');
  });
});

describe('random concurrent scans, live and late', () => {
  it('random scans never admit twice without an exit in between, lose nothing, and the figures match the list', async () => {
    await fc.assert(
      randomDay(() => table, { minLength: amount(6, 20), maxLength: amount(14, 80) }),
      { numRuns: amount(3, 40) },
    );
  });

  it('random scans on a table with conflicts and lost responses never admit twice without an exit in between', async () => {
    await fc.assert(
      randomDay(() => table, { minLength: amount(6, 10), maxLength: amount(10, 40) }, tableWithFaults),
      { numRuns: amount(1, 20) },
    );
  });
});
