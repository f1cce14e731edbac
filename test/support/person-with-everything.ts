import { setAutoRenew } from '../../shared/charges/set-auto-renew.ts';
import { openBasket } from '../../shared/data/baskets/baskets.ts';
import { longHoldPuts } from '../../shared/data/baskets/buyers.ts';
import { saveAttributes } from '../../shared/data/customers/attributes.ts';
import { saveCustomer } from '../../shared/data/customers/save.ts';
import { changeMember } from '../../shared/data/members/change.ts';
import { readOrderRef } from '../../shared/data/orders/read.ts';
import { createSeatBlock } from '../../shared/data/seats/blocks.ts';
import { saveLink } from '../../shared/data/sso/links.ts';
import { transact } from '../../shared/data/table/transact.ts';
import { acceptTransfer, changeOffers } from '../../shared/data/transfers/write.ts';
import { registerDevice } from '../../shared/data/wallets/devices.ts';
import { moveDelivery, newDelivery, putDelivery } from '../../shared/data/webhooks/deliveries.ts';
import { createEndpoint, deleteEndpoint } from '../../shared/data/webhooks/endpoints.ts';
import { withdrawalPut } from '../../shared/data/withdrawals/write.ts';
import { memberSerial, ticketSerial } from '../../shared/documents/apple-serial.ts';
import { withdrawalAnnounced } from '../../shared/mappers/withdrawal.ts';
import { outboxItems } from '../../shared/outbox/outbox.ts';
import { newEndpointId } from '../../shared/webhooks/ids.ts';
import { givenOrganisation } from '../../tools/fixtures/auth.ts';
import { givenCustomer } from '../../tools/fixtures/customers.ts';
import { savedMember } from '../../tools/fixtures/members.ts';
import { aHall } from '../../tools/fixtures/seat-maps.ts';
import { addItem, checkOutWith, givenBasket, givenOnSale, noonUnix, type TestCheckoutDeps } from './baskets.ts';
import { announcedOf } from './feed.ts';
import { Files, importInto } from './import-files.ts';
import { joinAsFan } from './joined-fan.ts';
import { memberDraft } from './membership-members.ts';
import { givenMembershipBasket } from './memberships.ts';
import { scanAtGate } from './person-with-traces.ts';
import { buyInInstalments, givenInstalmentType, sixMonthly } from './plans.ts';
import { saveCard } from './renewals.ts';
import { givenSeatedEvent } from './seats.ts';
import { join } from './waiting-list.ts';

/** What occurs nowhere else: if none of it is found, nothing of the person is left. */
export const everyTrace =
  /xanthippe|quixley|trace\.example|0499 111|national-id|trace\|subject|points_of_trace|19470423|pushtrace|tracecode/i;

const names = { firstName: 'Xanthippe', lastName: 'Quixley' };
const [oldAddress, newAddress] = ['old@trace.example', 'new@trace.example'];
const buyer = { ...names, emailAddress: oldAddress };
/** The reference is the organisation's own, and stays. */
const labels = { metadata: { note: 'For Xanthippe Quixley' }, externalReference: 'cart-1' };
const identity = { issuer: 'https://login.example.com', subject: 'trace|subject' };

/**
 * A person who has everything: two addresses, memberships that are paid in instalments, renew themselves, or were moved to somebody else, a
 * replaced card, tickets that were given and received, places in waiting lists under three addresses, consents, a saved card, passes on a
 * phone, baskets that are not paid, metadata of orders and baskets, scans, a membership, an order and a scan of another system that were imported, and receivers who repeat
 * what they were sent, one of them at an endpoint that was deleted since.
 */
export async function givenPersonWithEverything(deps: TestCheckoutDeps) {
  const { table, orgId } = deps;
  await givenOrganisation(table, orgId);
  const { userId } = await givenCustomer(table, orgId, {
    orgCustomerId: 'C-1',
    ...buyer,
    mobileNumber: '0499 111 222',
  });
  await saveAttributes(table, orgId, { userId, attributes: { points_of_trace: 19_470_423 } });
  await saveLink(table, orgId, { ...identity, userId, linkedUnix: noonUnix });
  const ben = await givenCustomer(table, orgId, { orgCustomerId: 'ben', firstName: 'Ben', addedUnix: noonUnix });
  await writeMemberships(deps, { userId, newOwnerId: ben.userId });
  const ticketId = await writeTickets(deps, userId);
  await writeWaitingLists(deps, userId);
  await writeBaskets(deps, userId);
  await importTraces(deps);
  const { event } = await givenSeatedEvent(table, orgId);
  const reason = `Kept for ${names.firstName} ${names.lastName}`;
  const block = { eventId: event.eventId, seats: ['Stalls/A/1'], reason, releaseUnix: null, createdUnix: noonUnix };
  await createSeatBlock(table, orgId, { ...block, map: aHall, newId: () => 1 }, () => []);
  await saveCustomer(table, orgId, { orgCustomerId: 'C-1', emailAddress: newAddress }, noonUnix);
  await writeDelivery(deps);
  const deleted = await writeDelivery(deps);
  await deleteEndpoint(table, orgId, deleted, noonUnix);
  return { userId, ticketId };
}

async function writeMemberships(
  deps: TestCheckoutDeps,
  { userId, newOwnerId }: Record<'userId' | 'newOwnerId', number>,
) {
  const { table, orgId } = deps;
  const type = await givenInstalmentType(deps);
  const payment = { ...sixMonthly.payment, consentText: 'Charge the card of Xanthippe Quixley.' };
  const { order } = await buyInInstalments(deps, type, { buyer, payment });
  await writeRefusedWithdrawal(deps, order.orderId);
  for (const move of [false, true]) {
    const bought = await checkOutWith(deps, await givenMembershipBasket(deps, type), { buyer });
    if (bought.outcome !== 'confirmed') throw new Error(bought.outcome);
    const memberId = bought.placed.memberships[0]?.memberId ?? 0;
    await saveCard(deps, memberId, 'pm_card_visa');
    await setAutoRenew(deps, { memberId, consentText: 'I, Xanthippe Quixley, agree.' });
    if (!move) continue;
    const change = () => ({ userId: newOwnerId, firstName: 'Ben', lastName: null, emailAddress: null });
    await changeMember(table, { orgId, memberId, nowUnix: noonUnix, change });
  }
  const { event } = await givenOnSale(table, orgId);
  const card = { ...names, userId, personId: 'NATIONAL-ID-1', emailAddress: null, trackingCode: 'TRACECODE' };
  const { member } = await savedMember(table, orgId, memberDraft('900', { ...card, barcode: 'CARD-OLD' }), noonUnix);
  await scanAtGate(table, orgId, event.eventId, 'CARD-OLD');
  await savedMember(table, orgId, memberDraft('900', { ...card, barcode: 'CARD-NEW' }), noonUnix + 1);
  const shows = { orgId, eventId: null, id: member.memberId };
  const serialNumber = memberSerial({ orgId, memberId: member.memberId, cardVersion: member.cardVersion ?? 0 });
  await registerDevice(table, { deviceId: 'd1', serialNumber, shows, pushToken: 'PUSHTRACE1', nowUnix: noonUnix });
}

/** A withdrawal whose refusal names the person, in the table and in the feed. */
async function writeRefusedWithdrawal({ table, orgId }: TestCheckoutDeps, orderId: number): Promise<void> {
  const of = { withdrawalId: 'wdr_trace', orderId, memberIds: [1], termIds: [2], currency: 'AUD', version: 1 };
  const times = { receivedUnix: noonUnix, periodEndsUnix: noonUnix, requestedUnix: null, decidedUnix: noonUnix };
  const decided = { used: true, amountMinor: null, refundNumber: null, reason: 'Xanthippe Quixley was at the match.' };
  const withdrawal = { ...of, ...times, ...decided, status: 'refused' as const };
  const cause = { nowMs: noonUnix * 1000, requestId: 'req-1' };
  await transact(table, [
    withdrawalPut(table, orgId, undefined, withdrawal),
    ...outboxItems(table, orgId, withdrawalAnnounced('decided', withdrawal), cause),
  ]);
}

/** An order of the person, one ticket of which somebody else has now, and a ticket that a friend gave to the person. */
async function writeTickets(deps: TestCheckoutDeps, userId: number): Promise<number> {
  const { table, orgId } = deps;
  const { event, price } = await givenOnSale(table, orgId, { capacity: 100 });
  const placedBy = async (command: Parameters<typeof checkOutWith>[2]) => {
    const { basketId } = await openBasket(table, { ...deps, ...(command?.buyer && { labels }) });
    await addItem(deps, basketId, price, 2);
    const placed = await checkOutWith(deps, basketId, command);
    if (placed.outcome !== 'confirmed') throw new Error(placed.outcome);
    return placed.placed;
  };
  const [own, friends] = [await placedBy({ buyer }), await placedBy({})];
  const give = async (placed: typeof own, to: { email: string; name: string; userId: number | null }) => {
    const ref = await readOrderRef(table, orgId, placed.order.orderId);
    const ticketId = placed.tickets[0]?.ticketId ?? 0;
    if (ref === undefined) throw new Error('There is no such order.');
    const times = { offeredUnix: noonUnix, expiresUnix: noonUnix + 86_400 };
    const offer = { number: 1, emailAddress: to.email, tokenHash: 'hash', ...times, state: 'offered' as const };
    await changeOffers(table, orgId, { ref, ticketId, decide: () => [offer] });
    const acceptance = { offer, barcode: `GIVEN${ticketId}`, name: to.name, userId: to.userId, atUnix: noonUnix };
    await acceptTransfer(table, orgId, { ref, ticketId, decide: () => acceptance }, () => []);
    return ticketId;
  };
  await give(own, { email: 'somebody@example.com', name: 'Some Body', userId: null });
  const ticketId = await give(friends, { email: 'gift@trace.example', name: 'Xanthippe Quixley', userId });
  await scanAtGate(table, orgId, event.eventId, `GIVEN${ticketId}`);
  await scanAtGate(table, orgId, event.eventId, own.tickets[1]?.barcode ?? '');
  const shows = { orgId, eventId: event.eventId, id: ticketId };
  const serialNumber = ticketSerial({ orgId, ticketId, transfers: 1 });
  await registerDevice(table, { deviceId: 'd1', serialNumber, shows, pushToken: 'PUSHTRACE2', nowUnix: noonUnix });
  return ticketId;
}

async function writeWaitingLists(deps: TestCheckoutDeps, userId: number): Promise<void> {
  const { price } = await givenOnSale(deps.table, deps.orgId, { capacity: 1 });
  await givenBasket(deps, price);
  await joinAsFan(deps, price, { email: 'typed@trace.example', userId });
  await join(deps, price, oldAddress);
}

/** A payment that was declined, by the fan with another address, and a basket that staff keep. */
async function writeBaskets(deps: TestCheckoutDeps, userId: number): Promise<void> {
  const { table, orgId } = deps;
  const { price } = await givenOnSale(table, orgId, { capacity: 100 });
  const signedIn = { user: { ...identity, providerId: 'login', verifiedEmail: null }, userId };
  const typed = { ...names, emailAddress: 'declined@trace.example' };
  const { basketId } = await openBasket(table, { ...deps, labels });
  await addItem(deps, basketId, price, [{ ...names, memberId: null }]);
  await checkOutWith(deps, basketId, { signedIn, buyer: typed, paymentMethod: 'pm_card_declined' });
  const longHold = { untilUnix: noonUnix + 2 * 86_400, reason: 'For Xanthippe', customer: buyer };
  const held = await openBasket(table, { ...deps, longHold, labels }, await longHoldPuts(table, orgId));
  await addItem(deps, held.basketId, price);
}

/** What another system knew of the person: it arrives as files. */
async function importTraces({ table, orgId }: TestCheckoutDeps): Promise<void> {
  const { event, price } = await givenOnSale(table, orgId, { capacity: 100 });
  const person = { org_customer_id: 'C-1', first_name: names.firstName, last_name: names.lastName };
  const sold = { barcode: 'IMPORTED-1', price_code: price.code, ticket_name: 'Xanthippe Quixley' };
  const order = { order_ref: 'X-1', event_code: event.code, order_date: noonUnix, email_address: oldAddress };
  const rows = {
    members: {
      ...person,
      member_number: '901',
      email_address: 'imported@trace.example',
      mobile_number: '0499 111 333',
    },
    orders: { ...person, ...order, tickets: [sold] },
    scans: { event_code: event.code, scan_ref: '1', barcode: sold.barcode, scanned_at: noonUnix, gate: 'East' },
  };
  const files = new Files();
  for (const [dataset, row] of Object.entries(rows)) {
    const file = files.write(`${dataset}.ndjson`, JSON.stringify(row));
    const { rejected } = await importInto(table, { orgId, dataset, file, nowUnix: noonUnix });
    if (rejected > 0)
      throw new Error(`The ${dataset} were not imported: ${files.read(`${dataset}.ndjson.rejected.ndjson`)}`);
  }
  files.remove();
}

/** A receiver that refuses every event and repeats what it was sent. Returns its endpoint. */
async function writeDelivery({ table, orgId }: TestCheckoutDeps): Promise<string> {
  const nowMs = noonUnix * 1000;
  const endpointId = newEndpointId(nowMs);
  const endpoint = { url: 'https://shop.example.com/', types: ['*'], description: null, ratePerSecond: 10 };
  const secrets = { secret: 'sealed', formerSecret: null, formerUntilUnix: 0, olderSecrets: [] };
  const state = { status: 'enabled', disabledReason: null, createdUnix: noonUnix, updatedUnix: null } as const;
  await createEndpoint(table, orgId, { endpointId, ...endpoint, ...secrets, ...state, version: 1 }, () => []);
  for (const { id: eventId, type, data } of await announcedOf(table, orgId)) {
    const delivery = await putDelivery(table, newDelivery({ orgId, endpointId, eventId, type }, nowMs));
    const response = JSON.stringify(data).slice(0, 2_000);
    const attempt = {
      atUnix: noonUnix,
      statusCode: 400,
      durationMs: 5,
      outcome: 'The endpoint returned 400.',
      response,
    };
    await moveDelivery(table, delivery, { ...delivery, attempts: [attempt] });
  }
  return endpointId;
}
