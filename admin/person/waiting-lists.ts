import { eraseEntry } from '../../shared/data/admin/erase-waiting-entry.ts';
import { entriesOfPerson } from '../../shared/data/waiting-list/read.ts';
import { waitingEntryResource } from '../../shared/mappers/waiting-entry.ts';
import type { Person, PersonSection } from './section.ts';

/** The waiting lists that the person is or was in, by the address. What is offered to the person is offered to the next in line. */
export const waitingListsSection: PersonSection = {
  name: 'waiting_lists',
  collect: async (person) => (await entriesOf(person)).map((entry) => waitingEntryResource(entry)),
  async erase(person) {
    const { table, orgId } = person;
    const entries = await entriesOf(person);
    for (const entry of entries) await eraseEntry(table, orgId, entry);
    return entries.length;
  },
};

async function entriesOf({ table, orgId, customer }: Person) {
  return customer.emailAddress === null ? [] : entriesOfPerson(table, orgId, customer.emailAddress);
}
