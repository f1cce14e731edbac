import type { Table } from '../../shared/data/table.ts';
import { idOf } from '../../shared/domain/ids.ts';
import { aMember, givenMembers, someDay } from '../support/members.ts';

/** One object of each kind for an organisation, with ids that follow from its name: what examples.ts asks for. */
export async function createWorld(table: Table, orgId: string): Promise<void> {
  await givenMembers(table, orgId, [aMember({ memberId: memberIdOf(orgId), memberNumber: 'M1', firstName: 'Ada' })]);
}

export function memberIdOf(orgId: string): number {
  return idOf(someDay, orgId.length);
}
