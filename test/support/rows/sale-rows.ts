import { createCampaign } from '../../../shared/catalogue/code-campaigns.ts';
import { newCodes } from '../../../shared/catalogue/new-codes.ts';
import { createPhase } from '../../../shared/catalogue/phases.ts';
import { saveErasure } from '../../../shared/data/admin/erasures.ts';
import { changeBasket, openBasket } from '../../../shared/data/baskets/baskets.ts';
import { createCodes, findCode } from '../../../shared/data/codes/codes.ts';
import { saveAttributes } from '../../../shared/data/customers/attributes.ts';
import { readOrderRef } from '../../../shared/data/orders/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { acceptTransfer, changeOffers } from '../../../shared/data/transfers/write.ts';
import { registerDevice } from '../../../shared/data/wallets/devices.ts';
import { applyCode } from '../../../shared/domain/baskets/codes.ts';
import type { TransferOffer } from '../../../shared/domain/orders/transfer.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import { givenPool, givenPrice } from '../../../tools/fixtures/events.ts';
import { ada, addItem, noonUnix, type TestCheckoutDeps } from '../baskets.ts';

/** A campaign that reveals a price, a code of it with a limit, and a basket that is kept for days and has the code. */
export async function writeCodes(deps: TestCheckoutDeps, price: PriceRecord, hidden: PriceRecord): Promise<void> {
  const { table, orgId } = deps;
  await saveAttributes(table, orgId, { userId: 1, attributes: { points: 120 } });
  await saveErasure(table, {
    orgId,
    userId: 2,
    addressHash: null,
    untaggedHash: null,
    orderIds: [],
    memberIds: [],
    startedUnix: noonUnix,
    doneUnix: noonUnix,
  });
  const shows = { orgId, eventId: price.eventId, id: 65 };
  const pass = { deviceId: 'a1b2', serialNumber: `${orgId}.t.65.0`, shows, pushToken: 'c3d4', nowUnix: noonUnix };
  await registerDevice(table, pass);
  const fields = { usesPerCode: 5, untilUnix: noonUnix + 86_400, revealsPriceIds: [hidden.priceId] };
  const given = { title: 'Sponsors', effect: { kind: 'percent', value: 20 } as const, ...fields };
  const saved = await createCampaign({ table, orgId, nowUnix: noonUnix }, given, () => []);
  if (saved.outcome !== 'saved') throw new Error(saved.outcome);
  const codes = newCodes(orgId, saved.campaign, { word: 'SPONSOR' }, noonUnix);
  await createCodes(table, orgId, { codes, usesPerCode: 5 }, []);
  const longHold = { untilUnix: noonUnix + 86_400, reason: 'School class', customer: ada };
  const { basketId } = await openBasket(table, { ...deps, longHold });
  await addItem(deps, basketId, price);
  const found = await findCode(table, orgId, 'SPONSOR');
  await changeBasket(table, { orgId, basketId, decide: (basket) => applyCode(basket, found, noonUnix) });
  const phase = { title: 'Everyone', maxPerPerson: 40, priceIndexes: [price.index] };
  await createPhase(table, orgId, price.eventId, { given: phase, sideEffects: () => [] });
}

/** A price inside a pool, with a maximum of its own. */
export async function givenJunior(
  table: Table,
  orgId: string,
  { eventId, categoryId }: PriceRecord,
): Promise<PriceRecord> {
  const { index: poolIndex } = await givenPool(table, orgId, { eventId, code: 'terrace', capacity: 50 });
  return givenPrice(table, orgId, { eventId, categoryId, code: 'junior', taxRate: 10, poolIndex, capacity: 20 });
}

const offer: TransferOffer = {
  number: 1,
  emailAddress: 'friend@example.com',
  tokenHash: 'hash of the token',
  offeredUnix: noonUnix,
  expiresUnix: noonUnix + 86_400,
  state: 'offered',
};

/** A ticket that was given to a signed-in fan, with its void barcode, and one that is offered. */
export async function writeTransfers(
  { table, orgId }: TestCheckoutDeps,
  orderId: number,
  { given, offered, userId }: { readonly given: number; readonly offered: number; readonly userId: number },
): Promise<void> {
  const ref = await readOrderRef(table, orgId, orderId);
  if (ref === undefined) throw new Error('There is no such order.');
  for (const ticketId of [given, offered])
    await changeOffers(table, orgId, { ref, ticketId, decide: () => [offer] }, () => []);
  const acceptance = { offer, barcode: `GIVEN${orderId}`, name: 'Grace Hopper', userId, atUnix: noonUnix };
  await acceptTransfer(table, orgId, { ref, ticketId: given, decide: () => acceptance }, () => []);
}
