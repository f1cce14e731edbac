import { saveVenue } from '../../../shared/catalogue/save-venue.ts';
import { issueKey, revokeKey } from '../../../shared/data/admin/api-keys/api-keys.ts';
import { eraseBuyer } from '../../../shared/data/admin/erase-buyer.ts';
import { issueGateToken, revokeGateToken } from '../../../shared/data/admin/gate-tokens.ts';
import { changeStorefrontToken } from '../../../shared/data/admin/storefront-tokens.ts';
import { readRound, saveRound } from '../../../shared/data/audit/round.ts';
import { admitStorefront } from '../../../shared/data/auth/admit-storefront.ts';
import { changeBasket, openBasket } from '../../../shared/data/baskets/baskets.ts';
import { saveCustomer } from '../../../shared/data/customers/save.ts';
import { changeEvent } from '../../../shared/data/events/save.ts';
import { saveGate } from '../../../shared/data/gates/gates.ts';
import { claimRequest, storeResponse } from '../../../shared/data/idempotency/receipts.ts';
import { moveJob } from '../../../shared/data/jobs/jobs.ts';
import { changeMember } from '../../../shared/data/members/change.ts';
import { createMember } from '../../../shared/data/members/create.ts';
import { refundRequestPut } from '../../../shared/data/orders/refund-requests.ts';
import { updateOrganisation } from '../../../shared/data/organisations/organisation.ts';
import { applyPositionChanges } from '../../../shared/data/positions/apply.ts';
import { BarcodeLookup } from '../../../shared/data/scans/barcode-lookup.ts';
import { recordScan } from '../../../shared/data/scans/record.ts';
import { saveLink } from '../../../shared/data/sso/links.ts';
import { saveProvider } from '../../../shared/data/sso/providers.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { transact } from '../../../shared/data/table/transact.ts';
import { cancelBasket } from '../../../shared/domain/baskets/changes.ts';
import { recordConsents } from '../../../shared/sales/consents/record-consents.ts';
import { cancelOrRefundTickets } from '../../../shared/sales/refunds/cancel-or-refund-tickets.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { givenEvent, givenPrice, givenPriceCategory } from '../../../tools/fixtures/events.ts';
import { savedMember } from '../../../tools/fixtures/members.ts';
import {
  category,
  givenConfig,
  givenFullConfig,
  membershipType,
  paymentOption,
  seatMap,
} from '../../../tools/fixtures/membership.ts';
import { aScan } from '../../../tools/fixtures/orders.ts';
import { makeGateToken, makeKey } from '../../../tools/fixtures/signing-key.ts';
import { IdentityProvider } from '../../../tools/fixtures/sso.ts';
import { givenStorefrontToken } from '../../../tools/fixtures/storefront.ts';
import { ada, addItem, checkOutWith, checkoutDepsOf, givenBasket, givenOnSale, noonUnix } from '../baskets.ts';
import { refundOrder } from '../faults/refund-crash-scenario.ts';
import { cancelWith, jobOf } from '../jobs.ts';
import { memberDraft } from '../membership-members.ts';
import { anAddress } from '../receipts.ts';
import { givenLoggedCalls } from './logged-calls.ts';
import { writeEndedMemberships, writeRenewing } from './membership-rows.ts';
import { writeProgress } from './progress-rows.ts';
import { rewriteReceipts, writeReceipts } from './receipt-rows.ts';
import { givenJunior, writeCodes, writeTransfers } from './sale-rows.ts';
import { rewriteSeats, writeSeats } from './seated-rows.ts';
import { writeWaitingList } from './waiting-rows.ts';
import { rewriteWebhooks, writeWebhooks } from './webhook-rows.ts';

const nowMs = noonUnix * 1000;
const login = new IdentityProvider('https://login.example.com');
const gate = { gateId: 4, name: 'East', priceCategories: 'all', membershipCategories: 'all' } as const;
const positioned = ['customers', 'events', 'members', 'orders'] as const;

/**
 * Writes rows of every key kind with the functions of the service: an organisation with members, a match that is on sale,
 * baskets, orders, scans, webhooks, tokens.
 */
export async function writeEveryKind(table: Table, orgId: string) {
  const deps = checkoutDepsOf(table, orgId);
  await givenOrganisation(table, orgId);
  await givenFullConfig(table, orgId);
  await givenConfig(table, orgId, membershipType(orgId, 'full', { gameDayAccess: 1 }));
  const key = await issueKey(
    table,
    { orgId, label: 'shop', mode: 'test', scopes: ['read'], expiresUnix: null, nowMs },
    makeKey,
  );
  if (key.outcome !== 'issued') throw new Error(key.outcome);
  await saveVenue({ table, orgId, nowUnix: noonUnix }, { venueId: 'park', name: 'Park' });
  await saveGate(table, orgId, gate);
  const bounds = { label: null, gates: 'all', events: 'all', createdUnix: noonUnix, expiresUnix: null } as const;
  const { token: gateToken } = await issueGateToken(table, orgId, bounds, makeGateToken);
  const storefront = await givenStorefrontToken(table, orgId, { nowUnix: noonUnix });
  const visitor = { orgId, keyId: storefront.tokenId, hash: new Uint8Array(32) };
  await admitStorefront(table, visitor, [{ window: 'address_minute', id: 'visitor' }], nowMs);
  const request = { orgId, key: 'once', operation: 'open-basket', params: {}, content: {} };
  const claim = await claimRequest(table, request, noonUnix);
  if (claim.outcome !== 'claimed') throw new Error(claim.outcome);

  const { userId } = await givenCustomer(table, orgId, { orgCustomerId: 'C-1', emailAddress: 'fan@example.com' });
  const said = [{ purpose: 'marketing', channel: 'email', given: true, textVersion: '2026-11' }] as const;
  await recordConsents({ ...deps, requestId: undefined }, { userId, said, source: 'page' });
  await saveProvider(table, orgId, login.asProvider());
  const identity = { issuer: login.issuer, subject: 'fan' };
  await saveLink(table, orgId, { ...identity, userId, linkedUnix: noonUnix });
  const { typeId } = membershipType(orgId, 'full');
  const type = { typeId, categoryId: null, statusId: 1, userId } as const;
  const { member } = await savedMember(table, orgId, memberDraft('M-1', { ...type, barcode: 'CARD-1' }), noonUnix);
  await writeRenewing(deps);
  await createMember(
    table,
    {
      orgId,
      nowUnix: noonUnix,
      input: { ...memberDraft('', {}), typeId: membershipType(orgId, 'full').typeId, userId },
    },
    () => [],
  );

  const { event, price } = await givenOnSale(table, orgId, { code: 'adult', title: 'Adult' });
  const { eventId } = event;
  await changeEvent(table, orgId, eventId, (before) => ({ ...before, venueId: 'park', venueName: 'Park' }));
  const limited = await givenPrice(table, orgId, {
    eventId,
    categoryId: price.categoryId,
    code: 'member',
    membershipTypeId: typeId,
    maxPerMember: 4,
  });
  const signedIn = { user: { ...identity, providerId: 'login', verifiedEmail: null }, userId };
  const labels = { metadata: { crm_id: 'crm-77' }, externalReference: 'cart-4711' };
  const forFan = await openBasket(table, { ...deps, labels });
  await addItem(deps, forFan.basketId, limited, 2);
  await bought(deps, forFan.basketId, { signedIn, buyer: { ...ada, invoiceAddress: anAddress } });
  const { basketId: orderId } = await givenBasket(deps, price, 3);
  await addItem(deps, orderId, await givenJunior(table, orgId, price));
  const placed = await bought(deps, orderId);
  await refundOrder(deps, { orderId, tickets: [orderId + 4], keep: 1 });
  await writeTransfers(deps, orderId, { given: orderId + 2, offered: orderId + 3, userId });
  const openedFrom = { tokenId: storefront.tokenId, address: 'visitor' };
  const { basketId: openId } = await givenBasket(deps, price, 1, openedFrom);
  await writeEndedMemberships(deps, price);
  await writeCodes(deps, price, limited);
  await writeWaitingList(deps, price);
  await transact(table, [refundRequestPut(table, orgId, { orderId, number: 1, nowUnix: noonUnix })]);

  const find = new BarcodeLookup(table, { gate: undefined, categories: new Map() }).find;
  const scan = (barcode: string, minutes: number) =>
    recordScan(
      table,
      {
        orgId,
        scan: aScan(barcode, { eventId, scannedUnix: noonUnix + 60 * minutes }),
        nonce: `${barcode}-${minutes}`,
      },
      { find },
    );
  await scan(placed.tickets[0]?.barcode ?? '', 1);
  await scan('CARD-1', 2);

  const webhooks = await writeWebhooks(table, orgId, nowMs);
  const { eventId: cancelledId } = await givenEvent(table, orgId, { code: 'rained-off' });
  await cancelWith(deps, cancelledId, 'all');
  await givenLoggedCalls(table, orgId, { keyId: key.key.keyId, nowMs });
  await writeProgress(table);
  for (const resource of positioned) await applyPositionChanges(table, { orgId, resource });
  await writeReceipts(deps);

  return {
    table,
    orgId,
    deps,
    keyId: key.key.keyId,
    gateToken,
    storefront,
    claim: claim.claim,
    member,
    eventId,
    cancelledId,
    price,
    orderId,
    openId,
    webhooks,
    scan,
    placed,
    seats: await writeSeats(table, deps),
  };
}

type World = Awaited<ReturnType<typeof writeEveryKind>>;

async function bought(
  deps: ReturnType<typeof checkoutDepsOf>,
  basketId: number,
  changes: Parameters<typeof checkOutWith>[2] = {},
) {
  const result = await checkOutWith(deps, basketId, changes);
  if (result.outcome !== 'confirmed') throw new Error(JSON.stringify(result));
  return result.placed;
}

/** Changes every row that the service changes, so the whole row is written again where it does so. */
export async function rewriteEveryKind(world: World): Promise<void> {
  const { table, orgId, deps, member, eventId, price, orderId, openId } = world;
  const later = noonUnix + 60;
  deps.nowUnix = later;
  await rewriteReceipts(deps);
  await updateOrganisation(table, orgId, { name: 'Another name' });
  await givenConfig(
    table,
    orgId,
    seatMap(orgId, 'park', { title: 'Another title' }),
    category(orgId, 'season', { title: 'Another title' }),
    membershipType(orgId, 'full', { title: 'Another title', gameDayAccess: 1 }),
    paymentOption('monthly', { title: 'Another title' }),
  );
  await rewriteSeats(table, deps, world.seats);
  await saveVenue({ table, orgId, nowUnix: later }, { venueId: 'park', name: 'Harbour Park' });
  await saveGate(table, orgId, { ...gate, name: 'West' });
  await saveProvider(table, orgId, login.asProvider({ audiences: ['another'] }));
  await revokeGateToken(table, { orgId, tokenId: world.gateToken.tokenId, nowUnix: later });
  await changeStorefrontToken(table, { orgId, tokenId: world.storefront.tokenId }, { label: 'Another label' });
  await storeResponse(table, world.claim, '{}');
  await saveCustomer(table, orgId, { orgCustomerId: 'C-1', firstName: 'Ada' }, later);
  await changeMember(table, { orgId, memberId: member.memberId, nowUnix: later, change: () => ({ firstName: 'Ada' }) });
  const draft = memberDraft('M-1', { ...member, memberNumber: 'M-1', firstName: 'Grace' });
  await savedMember(table, orgId, draft, later);

  await givenPriceCategory(table, orgId, { eventId, title: 'Another title' });
  await givenPrice(table, orgId, {
    eventId,
    categoryId: price.categoryId,
    code: 'adult',
    title: 'Another title',
    capacity: 120,
  });
  await addItem(deps, openId, price, 1);
  await changeBasket(table, { orgId, basketId: openId, decide: (basket) => cancelBasket(basket, later) });
  await world.scan(world.placed.tickets[0]?.barcode ?? '', 3);
  await world.scan('CARD-1', 4);
  const tickets = [world.placed.tickets[1]?.ticketId ?? 0];
  await cancelOrRefundTickets(deps, orderId, { tickets, to: 'cancelled' });
  await eraseBuyer(table, { orgId, orderId, nowUnix: later });

  await rewriteWebhooks(table, world.webhooks, later);
  const job = await jobOf(deps, world.cancelledId);
  await moveJob(table, orgId, job, { ...job, dueUnix: later });
  await saveRound(table, await readRound(table), { startedUnix: later, found: 0, foundBefore: 0 });
  for (const resource of positioned) await applyPositionChanges(table, { orgId, resource });
  await revokeKey(table, { orgId, keyId: world.keyId, nowMs: later * 1000 });
}
