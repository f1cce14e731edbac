import { createHash } from 'node:crypto';
import { personAddress } from '../../domain/customers/person-address.ts';
import { idText } from '../../domain/ids.ts';
import { normalizeBarcode } from '../../domain/scans/scan.ts';
import type { KeyKind } from '../../domain/table-access.ts';
import type { PersonHash } from './person-hash.ts';

/** The primary key of an item. Both attributes are strings; `pk` starts with the key kind, followed by the organisation. */
export interface ItemKey {
  readonly pk: string;
  readonly sk: string;
}

/** The sort key of an item that is the only one in its partition. */
const onlyItem = '#';

function key(kind: KeyKind, parts: readonly string[], sk: string = onlyItem): ItemKey {
  return { pk: [kind, ...parts].join('#'), sk };
}

/** The partition key of an index or a list. It starts with the key kind too, because IAM grants are given by that prefix. */
export function partition(kind: KeyKind, ...parts: string[]): string {
  return [kind, ...parts].join('#');
}

const hashLength = 12;

/**
 * Identifies the organisation and what else the rows of a partition belong to, in fewer bytes than their ids have. A list reads
 * the keys of all rows before its page.
 */
function shortHash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, hashLength);
}

export type ConfigKind = 'category' | 'option' | 'seatmap' | 'type';
/** The resources whose lists have position trees. */
export const positionedResources = ['customers', 'events', 'members', 'member-words', 'orders'] as const;
export type PositionedResource = (typeof positionedResources)[number];
export type CustomerView = 'address' | 'email' | 'first' | 'id' | 'last' | 'word';
export type UniqueKind = 'customer' | 'email' | 'member-number' | 'order-uuid' | 'price';
/**
 * What due hints exist for: baskets that expire, events in the outbox that may not have been published yet, webhook
 * deliveries, backlogs of endpoints, replays, events whose `sold_out` has to be updated, jobs, plans with an instalment that is due,
 * memberships that renew themselves, blocks of seats that end, waiting lists, and offers of tickets that end.
 */
export const dueKinds = [
  'basket',
  'outbox',
  'delivery',
  'backlog',
  'replay',
  'stock',
  'job',
  'plan',
  'renewal',
  'block',
  'waiting',
  'offer',
] as const;
export type DueKind = (typeof dueKinds)[number];

export const authKey = (orgId: string): ItemKey => key('AUTH', [orgId]);
export const organisationKey = (orgId: string): ItemKey => key('ORG', [orgId]);
/** An index partition: all organisations, by id. */
export const organisationsPartition = (): string => partition('ORG', 'all');
export const apiKeyKey = (orgId: string, keyId: string): ItemKey => key('KEY', [orgId], keyId);
export const apiKeysPartition = (orgId: string): string => partition('KEY', orgId);
export const customerKey = (orgId: string, userId: number): ItemKey => key('CUS', [orgId], idText(userId));
/** The attributes of a customer. */
export const customerAttributesKey = (orgId: string, userId: number): ItemKey => key('CAT', [orgId, idText(userId)]);
export const customersPartition = (orgId: string): string => partition('CUS', orgId);
/** Copies of the customers, sorted in another order, and their search words. */
export const customerViewPartition = (orgId: string, view: CustomerView, ...narrower: string[]): string =>
  partition('CUV', orgId, view, ...narrower);
export const memberKey = (orgId: string, memberId: number): ItemKey => key('MEM', [orgId], idText(memberId));
export const membersPartition = (orgId: string, ...narrower: string[]): string => partition('MEM', orgId, ...narrower);
/** The members that belong to a customer: one person may hold several memberships. */
export const customerMembersPartition = (orgId: string, userId: number): string =>
  partition('MEU', orgId, idText(userId));
export const membershipConfigKey = (orgId: string, kind: ConfigKind, id: string): ItemKey =>
  key('MCF', [orgId], `${kind}#${id}`);
export const membershipConfigPartition = (orgId: string): string => partition('MCF', orgId);
/** The parts of the versions of a seat map. */
export const seatMapPartition = (orgId: string, seatMapId: number): string =>
  partition('SMP', orgId, idText(seatMapId));
export const seatMapVersionPrefix = (version: number): string => `${String(version).padStart(7, '0')}#`;
export const seatMapPartKey = (orgId: string, seatMapId: number, version: number, part: number): ItemKey => ({
  pk: seatMapPartition(orgId, seatMapId),
  sk: `${seatMapVersionPrefix(version)}${String(part).padStart(3, '0')}`,
});
export const venueKey = (orgId: string, venueId: string): ItemKey => key('EVT', [orgId], `V#${venueId}`);
export const eventKey = (orgId: string, eventId: number): ItemKey => key('EVT', [orgId], `E#${idText(eventId)}`);
export const eventsPartition = (orgId: string, ...narrower: string[]): string => partition('EVT', orgId, ...narrower);
/** The search words of the titles of events: one partition per first character. */
export const eventWordPartition = (orgId: string, firstCharacter: string): string =>
  partition('EVV', orgId, firstCharacter);
export const priceCategoryKey = (orgId: string, eventId: number, categoryId: number): ItemKey =>
  key('EVC', [orgId, idText(eventId)], `C#${idText(categoryId)}`);
export const priceKey = (orgId: string, eventId: number, index: number): ItemKey =>
  key('EVC', [orgId, idText(eventId)], `P#${String(index).padStart(3, '0')}`);
/** The sort keys of a catalogue: categories `C#`, the event `E`, its phases `F`, hidden prices `H#`, pools `L#`, prices `P#`. A hold reads all before the prices. */
export const poolKey = (orgId: string, eventId: number, index: number): ItemKey =>
  key('EVC', [orgId, idText(eventId)], `L#${String(index).padStart(3, '0')}`);
/** Hides a price from everyone without a code of the campaign. It is between event and prices, so a hold reads it with the pools. */
export const revealKey = (
  orgId: string,
  { eventId, index }: { readonly eventId: number; readonly index: number },
  campaignId: number,
): ItemKey => key('EVC', [orgId, idText(eventId)], `H#${String(index).padStart(3, '0')}#${idText(campaignId)}`);
/** A copy of the event in the partition of its categories and prices, so one Query reads all of them. */
export const pricedEventKey = (orgId: string, eventId: number): ItemKey => key('EVC', [orgId, idText(eventId)], 'E');
/** The phases of an event, next to the event: a checkout reads the two with one Query. */
export const phasesKey = (orgId: string, eventId: number): ItemKey => key('EVC', [orgId, idText(eventId)], 'F');
/** The partitions of the stock of an event or of a membership type. The first one holds the first slice of every price, so one Query is often enough. */
export const stockPartitions = [0, 1, 2, 3] as const;
export const stockPartition = (orgId: string, eventId: number, number: number): string =>
  partition('STK', orgId, idText(eventId), ...(number === 0 ? [] : [String(number)]));
/** A slice of the stock of a price, a pool or a membership type. */
export const stockKey = (orgId: string, eventId: number, index: number, slice = 0): ItemKey => ({
  pk: stockPartition(orgId, eventId, slice % stockPartitions.length),
  sk: [String(index).padStart(3, '0'), ...(slice === 0 ? [] : [slice])].join('#'),
});
/** The rows of a section in which somebody has a seat. Its name is the last part, because it may contain anything but a slash. */
export const seatsPartition = (orgId: string, eventId: number, section: string): string =>
  partition('SEA', orgId, idText(eventId), section);
export const seatRowKey = (orgId: string, eventId: number, section: string, row: string): ItemKey => ({
  pk: seatsPartition(orgId, eventId, section),
  sk: row,
});
/** Returns the organisation and the event that a partition of stock, orders or tickets belongs to. */
export function parseEventPartition(pk: string): { readonly orgId: string; readonly eventId: number } {
  const [, orgId = '', eventId = ''] = pk.split('#');
  return { orgId, eventId: Number(eventId) };
}
export const basketKey = (orgId: string, basketId: number): ItemKey => key('BSK', [orgId, idText(basketId)]);
/** Points from the email address of a buyer to a basket that is or was being checked out. */
export const basketBuyerKey = (orgId: string, emailAddress: string, basketId: number, hash: PersonHash): ItemKey =>
  key('BSK', [orgId, 'buyer', hash.address(orgId, emailAddress)], idText(basketId));
/** Points from the customer of a signed-in fan to a basket that is or was being checked out. */
export const basketFanKey = (orgId: string, userId: number, basketId: number): ItemKey =>
  key('BSK', [orgId, 'fan', idText(userId)], idText(basketId));
/** The baskets of an event that are kept for days, in an index. */
export const longHoldsPartition = (orgId: string, eventId: number): string =>
  partition('BSK', orgId, 'held', idText(eventId));
export const codeCampaignKey = (orgId: string, campaignId: number): ItemKey => key('CDC', [orgId], idText(campaignId));
export const codeCampaignsPartition = (orgId: string): string => partition('CDC', orgId);
/** A code, by its text in capitals. */
export const codeKey = (orgId: string, code: string): ItemKey => key('CDE', [orgId, code]);
/** The codes of a campaign, in an index. */
export const campaignCodesPartition = (orgId: string, campaignId: number): string =>
  partition('CDE', orgId, 'campaign', idText(campaignId));
/** The baskets and orders that have a use of a code with a limit, in an index. */
export const codeUsesPartition = (orgId: string, code: string): string => partition('CDE', orgId, code, 'uses');
/** An entry of the waiting list of an event. */
export const waitingEntryKey = (orgId: string, eventId: number, entryId: string): ItemKey =>
  key('WTL', [orgId, idText(eventId)], entryId);
/** The places of those who wait, in the order in which they joined. */
export const waitingQueueKey = (orgId: string, eventId: number, place: string): ItemKey =>
  key('WTL', [orgId, idText(eventId), 'queue'], place);
/** The baskets that were offered to those who waited, and have not ended as far as the list knows. */
export const waitingOfferKey = (orgId: string, eventId: number, basketId: number): ItemKey =>
  key('WTL', [orgId, idText(eventId), 'offers'], idText(basketId));
/** All entries of an event in their order, in an index. */
export const waitingListPartition = (orgId: string, eventId: number): string =>
  partition('WTL', orgId, idText(eventId), 'list');
/** The entries of a person, in an index. */
export const waitingPersonPartition = (orgId: string, emailAddress: string, hash: PersonHash): string =>
  partition('WTL', shortHash([orgId, 'person', hash.address(orgId, personAddress(emailAddress))]));
/** A value that must be unique among the objects of a kind. The item contains the id of the object that has it. */
export const uniqueKey = (orgId: string, kind: UniqueKind, value: string): ItemKey => key('UNI', [orgId, kind, value]);
/** A barcode as gates read it. The item says what it belongs to: `kind` is member or ticket, followed by the id. */
export const barcodeKey = (orgId: string, barcode: string): ItemKey => key('BAR', [orgId, normalizeBarcode(barcode)]);
/** The tickets that a customer was given by somebody else, in an index. */
export const heldTicketsPartition = (orgId: string, userId: number): string =>
  partition('BAR', shortHash([orgId, 'holder', idText(userId)]));
/** The barcodes whose tickets were last offered to an email address, in an index. */
export const offeredTicketsPartition = (orgId: string, emailAddress: string, hash: PersonHash): string =>
  partition('BAR', shortHash([orgId, 'offered', hash.address(orgId, emailAddress)]));
/** `sortKey` gives the order's position among the orders of its event. */
export const orderKey = (orgId: string, eventId: number, sortKey: string): ItemKey =>
  key('ORD', [orgId, idText(eventId)], sortKey);
export const ordersPartition = (orgId: string, eventId: number, ...narrower: string[]): string =>
  partition('ORD', orgId, idText(eventId), ...narrower);
/** The orders of a customer for all events, in an index. */
export const userOrdersPartition = (orgId: string, userId: number): string =>
  ownerPartition([orgId, 'user', idText(userId)]);
/** The orders of a buyer's email address for all events, in an index. */
export const addressOrdersPartition = (orgId: string, emailAddress: string, hash: PersonHash): string =>
  ownerPartition([orgId, 'address', hash.address(orgId, emailAddress)]);

const ownerPartition = (owner: readonly string[]): string => partition('ORU', shortHash(owner));
/** The tickets of an order, with the sort key of the order. */
export const orderTicketsKey = (orgId: string, eventId: number, sortKey: string): ItemKey =>
  key('ORT', [orgId, idText(eventId)], sortKey);
export const orderTicketsPartition = (orgId: string, eventId: number): string =>
  partition('ORT', orgId, idText(eventId));
/** The tickets of an event by their last change, in an index. */
export const changedTicketsPartition = (orgId: string, eventId: number): string =>
  partition('ORT', shortHash([orgId, idText(eventId), 'changed']));
/** A refund that was requested and is recorded in the basket. */
export const refundRequestKey = (orgId: string, orderId: number, number: number): ItemKey =>
  key('RFD', [orgId, idText(orderId)], String(number));
/** The search words of an event's orders: one partition per first character. The organisation and the event are hashed. */
export const orderWordPartition = (orgId: string, eventId: number, firstCharacter: string): string =>
  partition('ORV', shortHash([orgId, idText(eventId)]), firstCharacter);
export const scanKey = (orgId: string, eventId: number, sortKey: string): ItemKey =>
  key('SCN', [orgId, idText(eventId)], sortKey);
export const scansPartition = (orgId: string, eventId: number): string => partition('SCN', orgId, idText(eventId));
/** The nonce that a gate gives to a scan, so a scan that is reported twice is recorded once. */
export const nonceKey = (orgId: string, eventId: number, nonce: string): ItemKey =>
  key('NON', [orgId, idText(eventId), nonce]);
/** The organisation's own reference of an imported scan. A gate may use the same text as a nonce. */
export const scanRefKey = (orgId: string, eventId: number, ref: string): ItemKey =>
  key('NON', [orgId, idText(eventId), ref], 'import');
/** The sales or scans of an event that one shard counted in one time bucket. */
export const counterKey = (orgId: string, eventId: number, partition: string, sortKey: string): ItemKey =>
  key('CNT', [orgId, idText(eventId), partition], sortKey);
/** The identity providers of an organisation, and the customers that their users are linked to. */
export const ssoKey = (orgId: string, sortKey: string): ItemKey => key('SSO', [orgId], sortKey);
export const ssoPartition = (orgId: string, ...narrower: string[]): string => partition('SSO', orgId, ...narrower);
/** `sortKey` names a registered gate, or the record that the CLI keeps of a gate token. */
export const gateKey = (orgId: string, sortKey: string): ItemKey => key('GATE', [orgId], sortKey);
export const gatesPartition = (orgId: string): string => partition('GATE', orgId);
/** Each token has its own partition: the gates of a stadium together exceed the write capacity of one partition. */
export const gateAuthKey = (orgId: string, tokenId: string): ItemKey => key('GATEAUTH', [orgId, tokenId]);
/** A storefront token. Each has its own partition, because every request with it reads it. */
export const storefrontTokenKey = (orgId: string, tokenId: string): ItemKey => key('PUB', [orgId, tokenId]);
/** The ids of the storefront tokens of an organisation, for the CLI. */
export const storefrontTokenIdKey = (orgId: string, tokenId: string): ItemKey => key('PUB', [orgId], tokenId);
export const storefrontTokenIdsPartition = (orgId: string): string => partition('PUB', orgId);
/** The requests of one address or basket in one minute. An item is never read again after its minute. */
export const storefrontCountKey = (orgId: string, tokenId: string, source: string, minute: number): ItemKey =>
  key('PUBCNT', [orgId, tokenId, source], minute.toString(36));
/** The tickets that the baskets of one client address hold. */
export const addressCountKey = (orgId: string, tokenId: string, address: string): ItemKey =>
  key('HOLD', [orgId, tokenId, address]);
/** The tickets of an event that members have bought or are buying at prices with a limit per member. */
export const memberTicketsItemKey = (orgId: string, eventId: number, owner: string): ItemKey =>
  key('MPM', [orgId, idText(eventId)], owner);
export const memberTicketsPartition = (orgId: string, eventId: number): string =>
  partition('MPM', orgId, idText(eventId));
/** The orders of an event with tickets that count against the limit of an owner's members, in an index. */
export const memberOrdersPartition = (orgId: string, eventId: number, owner: string): string =>
  ordersPartition(orgId, eventId, 'owner', owner);
/** A member's entries and exits at an event. The key contains the id, because the barcode changes when a card is replaced. */
export const memberPassagesKey = (orgId: string, memberId: number, eventId: number): ItemKey =>
  key('PASS', [orgId, idText(memberId)], idText(eventId));
export const memberPassagesPartition = (orgId: string, memberId: number): string =>
  partition('PASS', orgId, idText(memberId));
/** The event of a member's passages. */
export const passagesEventId = ({ sk }: Readonly<Record<string, unknown>>): number => Number(sk);
/** The terms of a member, in the order in which they were bought. */
export const termKey = (orgId: string, memberId: number, termId: number): ItemKey =>
  key('TRM', [orgId, idText(memberId)], idText(termId));
export const termsPartition = (orgId: string, memberId: number): string => partition('TRM', orgId, idText(memberId));
export const sequenceKey = (orgId: string): ItemKey => key('SEQ', [orgId]);
/** The position of the continuous audit. */
export const auditRoundKey = (): ItemKey => key('AUD', ['round']);
/** A change that an operator made with the CLI, by the run of the CLI: they sort by time. */
export const operatorChangeKey = (requestId: string): ItemKey => key('OPC', ['all'], requestId);
export const operatorChangesPartition = (): string => partition('OPC', 'all');
/** How far a migration of rows is. */
export const migrationKey = (name: string): ItemKey => key('MIG', [name]);
/** The key of the hashes that stand for people in other keys. */
export const hashKeyKey = (): ItemKey => key('HMAC', ['']);
export const pingKey = (): ItemKey => key('PING', ['']);
/** The state of the position trees of a resource. Its sort key is lower than those of the changes. */
export const positionStateKey = (orgId: string, resource: PositionedResource): ItemKey => key('POS', [orgId, resource]);
export const positionChangeKey = (orgId: string, resource: PositionedResource, row: string): ItemKey =>
  key('POS', [orgId, resource], `c#${row}`);
/** Returns the organisation and the resource of a partition of position changes; undefined if only a later release knows the resource. */
export function parsePositionPartition(
  pk: string,
): { readonly orgId: string; readonly resource: PositionedResource } | undefined {
  const [, orgId = '', name = ''] = pk.split('#');
  const resource = positionedResources.find((one) => one === name);
  return resource && { orgId, resource };
}
/** A node of the position tree of one list. */
export const positionNodeKey = (orgId: string, resource: PositionedResource, list: string, name: string): ItemKey =>
  key('POT', [orgId, resource], `${list}#${name}`);
/** The events of the feed, sorted by id. The events of a busy organisation are spread over several partitions. */
export const feedKey = (orgId: string, shard: number, eventId: string): ItemKey =>
  key('FEED', [orgId, String(shard)], eventId);
export const feedPartition = (orgId: string, shard: number): string => partition('FEED', orgId, String(shard));
/** The entries of the journal, sorted by id and spread like the events of the feed. */
export const journalKey = (orgId: string, shard: number, entryId: string): ItemKey =>
  key('JRN', [orgId, String(shard)], entryId);
export const journalPartition = (orgId: string, shard: number): string => partition('JRN', orgId, String(shard));
/** The entries of one event, and those of one order, in indexes. */
export const eventJournalPartition = (orgId: string, eventId: number): string =>
  partition('JRN', orgId, 'event', idText(eventId));
export const orderJournalPartition = (orgId: string, orderId: number): string =>
  partition('JRN', orgId, 'order', idText(orderId));
/** The request log of an organisation, sorted by time. Every call in it has written to `AUTH#org`, so both partitions are as busy. */
export const requestLogKey = (orgId: string, id: string): ItemKey => key('REQ', [orgId], id);
export const requestLogPartition = (orgId: string): string => partition('REQ', orgId);
/** The hints of all organisations share these partitions, so a sweeper finds them. Each hint names its organisation. */
export const dueKey = (kind: DueKind, shard: number, sortKey: string): ItemKey =>
  key('DUE', [kind, String(shard)], sortKey);
export const duePartition = (kind: DueKind, shard: number): string => partition('DUE', kind, String(shard));
/** A charge of the payment sandbox. The sandbox replaces a payment provider, which would keep charges in its own database. */
export const sandboxChargeKey = (orgId: string, chargeId: string): ItemKey => key('SBX', [orgId], chargeId);
/** The receipts of an organisation are spread over partitions, and can all be read when a person is erased. */
const receiptShards = 32;
export const idempotencyKey = (orgId: string, hash: string): ItemKey =>
  key('IDM', [orgId, String(Number.parseInt(hash.slice(0, 2), 16) % receiptShards)], hash);
export const idempotencyPartitions = (orgId: string): string[] =>
  Array.from({ length: receiptShards }, (_, shard) => partition('IDM', orgId, String(shard)));
export const webhookEndpointKey = (orgId: string, endpointId: string): ItemKey => key('HOOK', [orgId], endpointId);
export const webhookEndpointsPartition = (orgId: string): string => partition('HOOK', orgId);
/** The number of endpoints; its sort key is lower than that of any endpoint. */
export const webhookEndpointCountKey = (orgId: string): ItemKey => key('HOOK', [orgId]);
/** The id of an endpoint that was deleted, for as long as what was sent to it is logged. */
export const formerEndpointKey = (orgId: string, id: string): ItemKey => key('HOOK', [orgId, 'former'], id);
export const formerEndpointsPartition = (orgId: string): string => partition('HOOK', orgId, 'former');
/** The state of an endpoint's circuit, its send rate and its backlog. */
export const endpointStateKey = (orgId: string, endpointId: string): ItemKey => key('BRK', [orgId, endpointId]);
export const webhookDeliveryKey = (orgId: string, endpointId: string, eventId: string): ItemKey =>
  key('DLV', [orgId, endpointId], eventId);
export const webhookDeliveriesPartition = (orgId: string, id: string): string => partition('DLV', orgId, id);
/** An index partition: the deliveries that wait until their endpoint can receive them. */
export const webhookBacklogPartition = (orgId: string, id: string): string => partition('DLV', orgId, id, 'backlog');
export const webhookReplayKey = (orgId: string, endpointId: string): ItemKey => key('RPL', [orgId, endpointId]);
/** Work on many rows that a worker does in steps. */
export const jobKey = (orgId: string, jobId: string): ItemKey => key('JOB', [orgId], jobId);
/** The plan by which a membership is paid in instalments. */
export const planKey = (orgId: string, planId: number): ItemKey => key('PLN', [orgId, idText(planId)]);
/** What the buyer of an order agreed to. It is apart from the plans, which are written with every instalment. */
export const planConsentKey = (orgId: string, orderId: number): ItemKey =>
  key('PLN', [orgId, idText(orderId)], 'consent');
/** An index partition: the plans with an overdue instalment. */
export const overduePlansPartition = (orgId: string): string => partition('PLN', orgId, 'overdue');
/** How the members of one purchase pay from now on: the saved method, and whether the membership renews itself. */
export const renewalKey = (orgId: string, renewalId: number): ItemKey => key('RNW', [orgId, idText(renewalId)]);
/** A customer at the payment provider, on one account of the organisation. */
export const savedCustomerKey = (orgId: string, userId: number, account: string): ItemKey =>
  key('PMT', [orgId, idText(userId)], account);
export const savedCustomersPartition = (orgId: string, userId: number): string =>
  partition('PMT', orgId, idText(userId));

/** A pass of Apple Wallet on a device. The pass type is the platform's, so a device lists its passes of all organisations. */
export const passDeviceKey = (deviceHash: string, serialNumber: string): ItemKey =>
  key('WDV', [deviceHash], serialNumber);
/** Index partitions: the passes of the tickets of an event, and those of members, each on every device that has one. */
export const ticketPassesPartition = (orgId: string, eventId: number): string =>
  partition('WDV', orgId, idText(eventId));
export const memberPassesPartition = (orgId: string): string => partition('WDV', orgId, 'members');
export const passDevicePartition = (deviceHash: string): string => partition('WDV', deviceHash);
