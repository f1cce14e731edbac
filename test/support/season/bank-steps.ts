import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import { readPlan } from '../../../shared/data/plans/plans.ts';
import { sandboxChargeKey } from '../../../shared/data/table/keys.ts';
import type { DisputedPayment } from '../../../shared/domain/baskets/disputes.ts';
import { ownerOfCharge, refundNumberOf } from '../../../shared/domain/payments/charge-key.ts';
import { findCharge, type SandboxCharge } from '../../../shared/payments/sandbox-charges.ts';
import { announceDispute } from '../../../shared/sales/disputes/announce-dispute.ts';
import { recordDisputedMoney } from '../../../shared/sales/disputes/record-disputed-money.ts';
import { chargesOf, type SandboxCharge as ListedCharge } from '../baskets.ts';
import { nothing, type Scene, type Steps } from './scene.ts';

/** A charge of the sandbox. */
async function chargeOf(
  { club: { orgId }, deps, outside, choose }: Scene,
  isWanted: (charge: ListedCharge) => boolean,
): Promise<SandboxCharge | undefined> {
  const charge = choose((await chargesOf({ ...deps, table: outside })).filter(isWanted));
  return charge && findCharge(outside, { orgId, chargeId: charge.sk });
}

/** The bank of a card does not take back what the provider has returned: its money is with the provider again, which reports it. */
async function failReturn(scene: Scene): Promise<string> {
  const { club, outside: table, choose } = scene;
  const { orgId } = club;
  const charge = await chargeOf(scene, ({ refundedMinor }) => refundedMinor > 0);
  const [key, amountMinor] = choose(Object.entries(charge?.refunds ?? {})) ?? [];
  if (charge === undefined || key === undefined || amountMinor === undefined) return nothing;
  const owner = ownerOfCharge(charge.key);
  const basketId = owner.kind === 'instalment' ? (await readPlan(table, orgId, owner.id))?.orderId : owner.id;
  const basket = basketId === undefined ? undefined : await readBasket(table, orgId, basketId);
  const number = refundNumberOf(key);
  const isEnded = basket?.refunds.some((one) => one.number === number && one.state !== 'pending') === true;
  if (basketId === undefined || number === undefined || !isEnded) return nothing;
  const { [key]: _, ...refunds } = charge.refunds;
  const Item = { ...sandboxChargeKey(orgId, charge.chargeId), ...charge, refunds };
  const refundedMinor = charge.refundedMinor - amountMinor;
  await table.client.send(new PutCommand({ TableName: table.name, Item: { ...Item, refundedMinor } }));
  club.reports.push({ basketId, number, failed: { key, amountMinor } });
  return 'failed';
}

/** A buyer disputes a payment: the bank takes its money from the club, and returns it if the club wins. */
async function dispute(scene: Scene): Promise<string> {
  const { club, deps, choose } = scene;
  const charge = await chargeOf(scene, ({ status, amountMinor }) => status === 'paid' && amountMinor > 0);
  if (charge === undefined) return nothing;
  const { chargeId, key, amountMinor, currency } = charge;
  const about = { disputeId: `dp_${chargeId}`, reason: 'fraudulent', status: 'needs_response', createdUnix: 0 };
  const disputed: DisputedPayment = {
    orgId: club.orgId,
    owner: ownerOfCharge(key),
    account: null,
    chargeId,
    dispute: { ...about, amountMinor, currency },
  };
  await announceDispute(deps, disputed);
  await recordDisputedMoney(deps, disputed, 'withdrawn');
  if (choose([true, false])) return 'withdrawn';
  await recordDisputedMoney(deps, disputed, 'returned');
  return 'returned';
}

/** What banks do. */
export const bankSteps: Steps = {
  'a refund fails at the provider': { weight: 1, run: failReturn },
  'dispute a payment': { weight: 1, run: dispute },
};
