import { eraseEntry } from '../../shared/data/admin/erase-waiting-entry.ts';
import { everyEvent } from '../../shared/data/admin/read-all.ts';
import { readEntries, readEntry } from '../../shared/data/waiting-list/read.ts';
import { personAddress } from '../../shared/domain/customers/person-address.ts';
import type { EntryStatus, WaitingEntry } from '../../shared/domain/waiting-list/entry.ts';
import { waitingEntryResource } from '../../shared/mappers/waiting-entry.ts';
import { ownsAddress, type Person, type PersonSection } from './section.ts';

/**
 * The waiting lists that the person is or was in. What is offered to the person is offered to the next in line. The entries say whose
 * the events of the feed are, so they are erased after these.
 */
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

/**
 * Reads the entries of all events: a signed-in fan may have typed any address. Operators need this a few times a year; an index would
 * cost a write for every entry.
 */
async function entriesOf(person: Person): Promise<readonly WaitingEntry[]> {
  const { table, orgId } = person;
  const found: WaitingEntry[] = [];
  for await (const { eventId } of everyEvent(table, orgId)) {
    found.push(...(await readEntries(table, orgId, eventId)).filter((entry) => ownsEntry(person, entry)));
  }
  return found;
}

/**
 * An entry of a fan is the fan's, whatever address was typed. Otherwise the address without its tag decides, also of an entry that a fan
 * made and nobody has confirmed: the fan may have typed anybody's.
 */
function ownsEntry(
  person: Person,
  { userId, emailAddress, status }: Pick<WaitingEntry, 'userId' | 'emailAddress'> & { readonly status?: EntryStatus },
): boolean {
  if (userId === person.customer.userId) return true;
  if (userId !== null && status !== 'unconfirmed') return false;
  const wanted = personAddress(emailAddress);
  return person.addresses.some((address) => personAddress(address) === wanted && ownsAddress(person, address, ''));
}

/** Whether an entry of the API, as events have it, is the person's. One that does not exist any more is judged by its address. */
export async function ownsShownEntry(
  person: Person,
  { entry_id: entryId, event_id, email: emailAddress }: Readonly<Record<'entry_id' | 'event_id' | 'email', string>>,
): Promise<boolean> {
  const entry = await readEntry(person.table, person.orgId, { eventId: Number(event_id), entryId });
  return ownsEntry(person, entry ?? { userId: null, emailAddress });
}
