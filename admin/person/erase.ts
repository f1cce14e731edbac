import { type ErasedPerson, type Erasure, readErasure, saveErasure } from '../../shared/data/admin/erasures.ts';
import { personHash } from '../../shared/data/table/hash-key.ts';
import { personAddress } from '../../shared/domain/customers/person-address.ts';
import { customerErased } from '../../shared/mappers/customer.ts';
import { outboxItems } from '../../shared/outbox/outbox.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import { membersOf } from './members.ts';
import { findOrders } from './orders.ts';
import { isCustomer, type Person, type Reached } from './section.ts';
import { personSections } from './sections.ts';

/**
 * Erases a person, section by section, and writes down whom: a restored table has the person again, and the list says that it must
 * not. The list has ids and hashes.
 */
export async function erasePerson(
  person: Person,
  onErased: (name: string, count: number) => void = () => undefined,
): Promise<Readonly<Record<string, number>>> {
  const { table, orgId, customer, clock, requestId } = person;
  const whom = await erasedOf(person);
  const earlier = await readErasure(table, whom);
  const reached = await leftOf(person, earlier);
  const begun = { ...whom, startedUnix: unixSeconds(clock), doneUnix: null };
  await saveErasure(table, { ...begun, ...listed(reached) });
  const erased: Record<string, number> = {};
  for (const { name, erase } of personSections(person)) {
    const count = await erase(person, reached);
    erased[name] = count;
    onErased(name, count);
  }
  // A repetition that found nothing tells nothing new, unless the one before was interrupted.
  const isNews = earlier === undefined || earlier.doneUnix === null || Object.values(erased).some((count) => count > 0);
  const erasure: Erasure = { ...begun, ...listed(reached) };
  const announcement = customerErased(isCustomer(person) ? customer : undefined, erasure);
  const announced = isNews ? outboxItems(table, orgId, announcement, { nowMs: clock.nowMs(), requestId }) : [];
  await saveErasure(table, { ...erasure, doneUnix: unixSeconds(clock) }, announced);
  return erased;
}

/** What leads to the person's data in the copies of others: what is found now, and what an earlier erasure had found. */
async function leftOf(person: Person, earlier: Erasure | undefined): Promise<Reached> {
  const orders = await findOrders(person);
  const members = isCustomer(person) ? await membersOf(person) : [];
  return {
    orderIds: new Set([...(earlier?.orderIds ?? []), ...orders.map(({ orderId }) => orderId)]),
    memberIds: new Set([...(earlier?.memberIds ?? []), ...members.map(({ memberId }) => memberId)]),
  };
}

function listed({ orderIds, memberIds }: Reached): Pick<Erasure, 'orderIds' | 'memberIds'> {
  const sorted = (ids: ReadonlySet<number>) => [...ids].sort((one, other) => one - other);
  return { orderIds: sorted(orderIds), memberIds: sorted(memberIds) };
}

async function erasedOf(person: Person): Promise<ErasedPerson> {
  const { table, orgId, customer, addresses } = person;
  if (isCustomer(person)) return { orgId, userId: customer.userId, addressHash: null, untaggedHash: null };
  const { address } = await personHash(table);
  const [emailAddress = ''] = addresses;
  const untaggedHash = address(orgId, personAddress(emailAddress));
  return { orgId, userId: null, addressHash: address(orgId, emailAddress), untaggedHash };
}
