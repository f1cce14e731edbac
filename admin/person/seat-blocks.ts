import { eraseBlockReason } from '../../shared/data/admin/erase-block-reason.ts';
import { everyEvent } from '../../shared/data/admin/read-all.ts';
import { everySeatBlock } from '../../shared/data/seats/blocks.ts';
import { emailIdentity } from '../../shared/domain/customers/customer.ts';
import { nameIdentity } from '../../shared/domain/customers/shared-address.ts';
import { fold } from '../../shared/domain/search/text.ts';
import type { SeatBlock } from '../../shared/domain/seats/seat-block.ts';
import { seatBlockResource } from '../../shared/mappers/seat-block.ts';
import type { Person, PersonSection } from './section.ts';

/** The blocks of seats whose reason names the person: staff may type who the seats are kept for. The block itself stays. */
export const seatBlocksSection: PersonSection = {
  name: 'seat_blocks',
  collect: async (person) => (await blocksOf(person)).map(seatBlockResource),
  async erase(person) {
    const blocks = await blocksOf(person);
    for (const block of blocks) await eraseBlockReason(person.table, person.orgId, block);
    return blocks.length;
  },
};

async function blocksOf(person: Person): Promise<readonly SeatBlock[]> {
  const { table, orgId } = person;
  const found: SeatBlock[] = [];
  for await (const { eventId } of everyEvent(table, orgId)) {
    const blocks = await everySeatBlock(table, orgId, eventId);
    found.push(...blocks.filter(({ reason }) => isNamedIn(person, reason)));
  }
  return found;
}

/** Whether a text that staff typed has both names of the person, one after the other, or an address of theirs. */
export function isNamedIn({ customer, addresses }: Person, text: string | null): boolean {
  if (text === null) return false;
  const { firstName, lastName } = customer;
  const names = firstName === null || lastName === null ? '' : nameIdentity(customer);
  const words = fold(text).split(/\s+/).join(' ');
  return (
    (names !== '' && words.includes(names)) ||
    addresses.some((address) => emailIdentity(text).includes(emailIdentity(address)))
  );
}
