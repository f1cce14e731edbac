import { readMemberTickets } from '../../data/baskets/member-tickets.ts';
import { personHash } from '../../data/table/hash-key.ts';
import { addressOwner, type CountedPerson, customerOwner } from '../../domain/baskets/person-limits.ts';
import { personAddress } from '../../domain/customers/person-address.ts';
import type { CheckoutDeps } from '../deps.ts';

type Deps = Pick<CheckoutDeps, 'table' | 'orgId'>;

interface Person {
  /** Null if nobody is signed in, or the fan is not linked to a customer. */
  readonly linkedUserId: number | null;
  readonly emailAddress: string;
}

/** What a person has of an event. A person is the linked fan, or else whoever has the address. Keys contain no address (ADR 53). */
export async function countPerson(
  deps: Deps,
  eventId: number,
  { linkedUserId, emailAddress }: Person,
): Promise<CountedPerson> {
  if (linkedUserId !== null) return countFan(deps, eventId, linkedUserId);
  const hash = (await personHash(deps.table)).address(deps.orgId, personAddress(emailAddress));
  return countOwner(deps, eventId, addressOwner(hash));
}

/** What a linked fan has of an event. */
export function countFan(deps: Deps, eventId: number, userId: number): Promise<CountedPerson> {
  return countOwner(deps, eventId, customerOwner(userId));
}

async function countOwner({ table, orgId }: Deps, eventId: number, owner: string): Promise<CountedPerson> {
  return { owner, taken: await readMemberTickets(table, orgId, { eventId, owner }) };
}
