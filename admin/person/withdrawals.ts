import { retryRaces } from '../../shared/data/table/retry.ts';
import { transact } from '../../shared/data/table/transact.ts';
import { readWithdrawal, withdrawalsOfOrder } from '../../shared/data/withdrawals/read.ts';
import { withdrawalPut } from '../../shared/data/withdrawals/write.ts';
import type { Withdrawal } from '../../shared/domain/withdrawals/withdrawal.ts';
import { withdrawalResource } from '../../shared/mappers/withdrawal.ts';
import { findOrders } from './orders.ts';
import type { Person, PersonSection } from './section.ts';

/**
 * The withdrawals from the orders of the person. They stay, as the orders do; why one was refused may say something of the person. The
 * orders lead to them, so they come first.
 */
export const withdrawalsSection: PersonSection = {
  name: 'withdrawals',
  collect: async (person) => (await withdrawalsOf(person)).map((one) => withdrawalResource(one)),
  async erase(person) {
    const told = (await withdrawalsOf(person)).filter(({ reason }) => reason !== null);
    for (const { withdrawalId } of told) await eraseReason(person, withdrawalId);
    return told.length;
  },
};

async function withdrawalsOf(person: Person): Promise<readonly Withdrawal[]> {
  const found = (await findOrders(person)).map(({ orderId }) =>
    withdrawalsOfOrder(person.table, person.orgId, orderId),
  );
  return (await Promise.all(found)).flat();
}

async function eraseReason({ table, orgId }: Person, withdrawalId: string): Promise<void> {
  await retryRaces('withdrawal', async () => {
    const before = await readWithdrawal(table, orgId, withdrawalId);
    if (before === undefined) return 'erased';
    const after = { ...before, reason: null, version: before.version + 1 };
    const refused = await transact(table, [withdrawalPut(table, orgId, before, after)]);
    return refused.length === 0 ? 'erased' : undefined;
  });
}
