import { beforeAll, describe, expect, it } from 'vitest';
import { MemberCreations } from '../../../shared/data/admin/member-creations.ts';
import { memberByNumber, type SavedMember, saveMember } from '../../../shared/data/admin/save-member.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { TriedWrites } from '../../../shared/data/table/tried-writes.ts';
import { aMember, someDay } from '../../../tools/fixtures/members.ts';
import { faultyTable } from '../../support/faults/faulty-table.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
let organisations = 0;

beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** Saves one member for each barcode at the same time, and counts the transactions. */
async function savedTogether(
  barcodes: readonly string[],
  { orgId, fault = (send) => send() }: { orgId: string; fault?: (send: () => Promise<unknown>) => Promise<unknown> },
): Promise<{ ended: PromiseSettledResult<SavedMember>[]; sizes: number[]; again(): Promise<SavedMember[]> }> {
  const sizes: number[] = [];
  const counted = faultyTable(table, (send, _attempt, items) => {
    sizes.push(items.length);
    return fault(send);
  });
  const rows = barcodes.map((barcode, index) => ({ barcode, memberNumber: `M${index}`, tried: new TriedWrites() }));
  const save = (used: Table): Promise<SavedMember>[] => {
    const creations = new MemberCreations(used, orgId);
    return rows.map(({ barcode, memberNumber, tried }) =>
      saveMember(used, {
        orgId,
        memberNumber,
        nowUnix: someDay,
        creations,
        tried,
        draft: (current) => current ?? aMember({ memberNumber, barcode }),
      }),
    );
  };
  return { ended: await Promise.allSettled(save(counted)), sizes, again: () => Promise.all(save(table)) };
}

const newOrganisation = (): string => {
  organisations += 1;
  return `org_together${organisations}`;
};
const barcodesOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `B${index}`);
const outcomes = (ended: readonly PromiseSettledResult<SavedMember>[]): unknown[] =>
  ended.map((end) => (end.status === 'fulfilled' ? end.value.outcome : 'failed'));

describe('creating the members of an import', () => {
  it('creating the members of an import writes those of the same moment in transactions of at most 100 items', async () => {
    const { ended, sizes } = await savedTogether(barcodesOf(45), { orgId: newOrganisation() });
    expect(new Set(outcomes(ended))).toEqual(new Set(['created']));
    expect(sizes).toEqual([97, 85]);
  });

  it('creating the members of an import writes each member alone if the barcode of one is taken', async () => {
    const orgId = newOrganisation();
    await savedTogether(['B2'], { orgId });
    const { ended, sizes } = await savedTogether(['X', 'B1', 'B2', 'B3'], { orgId });
    // The first row has the number of the member that exists.
    expect(outcomes(ended)).toEqual(['unchanged', 'created', 'barcode_taken', 'created']);
    expect(sizes[0]).toBe(17);
    expect(await memberByNumber(table, orgId, 'M2')).toBeUndefined();
  });

  it('creating the members of an import accepts one of two rows with the same barcode', async () => {
    const { ended } = await savedTogether(['B1', 'B2', 'B1'], { orgId: newOrganisation() });
    expect(outcomes(ended).toSorted()).toEqual(['barcode_taken', 'created', 'created']);
  });

  it('creating the members of an import again after a lost response counts each of them as created once', async () => {
    const orgId = newOrganisation();
    const { ended, again } = await savedTogether(barcodesOf(5), {
      orgId,
      fault: async (send) => {
        await send();
        throw new Error('The process lost the response.');
      },
    });
    expect(new Set(outcomes(ended))).toEqual(new Set(['failed']));
    expect(new Set((await again()).map(({ outcome }) => outcome))).toEqual(new Set(['created']));
    const { ended: repeated } = await savedTogether(barcodesOf(5), { orgId });
    expect(new Set(outcomes(repeated))).toEqual(new Set(['unchanged']));
  });
});
