import { derivedEventId } from '../../shared/data/derived-id.ts';
import type { Table } from '../../shared/data/table.ts';
import { idOf } from '../../shared/domain/ids.ts';
import { givenCustomer } from '../support/customers.ts';
import { givenEvent, givenPrice, givenPriceCategory } from '../support/events.ts';
import { aMember, givenMembers, someDay } from '../support/members.ts';

/** One object of each kind for an organisation, with ids that follow from its name: what examples.ts asks for. */
export async function createWorld(table: Table, orgId: string): Promise<void> {
  await givenCustomer(table, orgId, {
    orgCustomerId: customerIdOf(orgId),
    firstName: 'Ada',
    addedUnix: someDay,
    firstLowBits: orgId.length,
  });
  await givenMembers(table, orgId, [aMember({ memberId: memberIdOf(orgId), memberNumber: 'M1', firstName: 'Ada' })]);
  const { eventId } = await givenEvent(table, orgId, { code: eventCode });
  const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
  await givenPrice(table, orgId, { eventId, categoryId });
}

const eventCode = 'the-match';

export function eventIdOf(orgId: string): number {
  return derivedEventId(orgId, eventCode);
}

export function customerIdOf(orgId: string): string {
  return `customer-of-${orgId}`;
}

export function userIdOf(orgId: string): number {
  return idOf(someDay, orgId.length);
}

export function memberIdOf(orgId: string): number {
  return idOf(someDay, orgId.length);
}
