import { type ErasedPerson, type Erasure, saveErasure } from '../../shared/data/admin/erasures.ts';
import { personHash } from '../../shared/data/table/hash-key.ts';
import { personAddress } from '../../shared/domain/customers/person-address.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import { isCustomer, type Person } from './section.ts';
import { personSections } from './sections.ts';

/**
 * Erases a person, section by section, and writes down whom: a restored table has the person again, and the list says that it must
 * not. The list has ids and hashes.
 */
export async function erasePerson(
  person: Person,
  onErased: (name: string, count: number) => void = () => undefined,
): Promise<Readonly<Record<string, number>>> {
  const { table, clock } = person;
  const erasure: Erasure = { ...(await erasedOf(person)), startedUnix: unixSeconds(clock), doneUnix: null };
  await saveErasure(table, erasure);
  const erased: Record<string, number> = {};
  for (const { name, erase } of personSections(person)) {
    const count = await erase(person);
    erased[name] = count;
    onErased(name, count);
  }
  await saveErasure(table, { ...erasure, doneUnix: unixSeconds(clock) });
  return erased;
}

async function erasedOf(person: Person): Promise<ErasedPerson> {
  const { table, orgId, customer, addresses } = person;
  if (isCustomer(person)) return { orgId, userId: customer.userId, addressHash: null, untaggedHash: null };
  const { address } = await personHash(table);
  const [emailAddress = ''] = addresses;
  const untaggedHash = address(orgId, personAddress(emailAddress));
  return { orgId, userId: null, addressHash: address(orgId, emailAddress), untaggedHash };
}
