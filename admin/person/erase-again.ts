import { readFileSync } from 'node:fs';
import { addressOfHash } from '../../shared/data/admin/address-of-hash.ts';
import {
  type ErasedPerson,
  type Erasure,
  erasuresOf,
  isErasedIn,
  parseErasure,
  saveErasure,
} from '../../shared/data/admin/erasures.ts';
import { readCustomer } from '../../shared/data/customers/read.ts';
import { nextOrganisation } from '../../shared/data/organisations/directory.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { erasePerson } from './erase.ts';
import { addressPerson, type Person, personOf } from './section.ts';

type Run = Pick<Person, 'clock' | 'requestId'>;

/** Where the list of erasures is that is newer than the restored table. */
interface ErasureList {
  /** The table that is replaced, if it can be read; it stays when another one is restored. */
  readonly before: Table | undefined;
  /** What `customer erasures` printed, one JSON document in a line. */
  readonly file: string | undefined;
}

/** Erases those who are in the restored table again, because they were erased after its point in time. Returns how many. */
export async function eraseAgainIn(restored: Table, list: ErasureList, run: Run): Promise<number> {
  let erased = 0;
  for (const erasure of await readList(list)) {
    if (await isErasedIn(restored, erasure)) continue;
    const person = await personInList(restored, erasure, run);
    if (person === undefined) {
      // The table is of a time before the person came. Another restore, to a later time, asks this list.
      await saveErasure(restored, erasure);
      continue;
    }
    await erasePerson(person);
    erased += 1;
  }
  return erased;
}

async function readList({ before, file }: ErasureList): Promise<readonly Erasure[]> {
  const listed =
    file === undefined
      ? []
      : readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => line.trim() !== '');
  const erasures = listed.map((line) => parseErasure(JSON.parse(line)));
  if (before === undefined) return erasures;
  for (
    let orgId = await nextOrganisation(before, '');
    orgId !== undefined;
    orgId = await nextOrganisation(before, orgId)
  ) {
    erasures.push(...(await erasuresOf(before, orgId)));
  }
  return erasures;
}

async function personInList(
  table: Table,
  { orgId, userId, addressHash, untaggedHash }: ErasedPerson,
  run: Run,
): Promise<Person | undefined> {
  if (userId !== null) {
    const customer = await readCustomer(table, orgId, userId, { consistent: true });
    return customer && personOf(table, orgId, customer, run);
  }
  if (addressHash === null) return undefined;
  const hashes = { exact: addressHash, untagged: untaggedHash ?? addressHash };
  const emailAddress = await addressOfHash(table, orgId, hashes);
  return emailAddress === undefined ? undefined : addressPerson(table, orgId, emailAddress, run);
}
