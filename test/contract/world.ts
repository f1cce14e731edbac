import type { Table } from '../../shared/data/table.ts';
import { idOf } from '../../shared/domain/ids.ts';
import { givenCustomer } from '../support/customers.ts';
import { aMember, givenMembers, someDay } from '../support/members.ts';

/** One object of each kind for an organisation, with ids that follow from its name: what examples.ts asks for. */
export async function createWorld(table: Table, orgId: string): Promise<void> {
  await givenCustomer(table, orgId, { orgCustomerId: customerIdOf(orgId), firstName: 'Ada' });
  await givenMembers(table, orgId, [aMember({ memberId: memberIdOf(orgId), memberNumber: 'M1', firstName: 'Ada' })]);
}

export function customerIdOf(orgId: string): string {
  return `customer-of-${orgId}`;
}

export function memberIdOf(orgId: string): number {
  return idOf(someDay, orgId.length);
}
