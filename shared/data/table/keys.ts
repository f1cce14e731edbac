import { idText } from '../../domain/ids.ts';
import type { KeyKind } from '../../domain/table-access.ts';

/** The primary key of an item. Both attributes are strings; `pk` begins with the kind and then the organisation. */
export interface ItemKey {
  readonly pk: string;
  readonly sk: string;
}

/** The sort key of an item that is alone in its partition. */
const only = '#';

function key(kind: KeyKind, parts: readonly string[], sk: string = only): ItemKey {
  return { pk: [kind, ...parts].join('#'), sk };
}

/** The partition of an index or a list; the kind comes first here too, so that grants hold for it. */
function partition(kind: KeyKind, ...parts: string[]): string {
  return [kind, ...parts].join('#');
}

export type ConfigKind = 'category' | 'option' | 'seatmap' | 'type';
export type CustomerView = 'email' | 'first' | 'id' | 'last' | 'word';
export type UniqueKind = 'customer' | 'email' | 'member-number' | 'order' | 'order-uuid' | 'price';
/**
 * What hints are kept for: baskets whose time is over; rows of the feed that may not have been published yet; deliveries, the
 * lines of endpoints and replays that somebody has to look at.
 */
export type DueKind = 'basket' | 'outbox' | 'delivery' | 'backlog' | 'replay' | 'stock';

export const authKey = (orgId: string): ItemKey => key('AUTH', [orgId]);
export const organisationKey = (orgId: string): ItemKey => key('ORG', [orgId]);
export const apiKeyKey = (orgId: string, keyId: string): ItemKey => key('KEY', [orgId], keyId);
export const apiKeysPartition = (orgId: string): string => partition('KEY', orgId);
export const customerKey = (orgId: string, userId: number): ItemKey => key('CUS', [orgId], idText(userId));
export const customersPartition = (orgId: string): string => partition('CUS', orgId);
/** The customers once more, in another order or by a word. */
export const customerViewPartition = (orgId: string, view: CustomerView, ...narrower: string[]): string =>
  partition('CUV', orgId, view, ...narrower);
export const memberKey = (orgId: string, memberId: number): ItemKey => key('MEM', [orgId], idText(memberId));
export const membersPartition = (orgId: string, ...narrower: string[]): string => partition('MEM', orgId, ...narrower);
/** The members with an email address; a family may share one. */
export const memberEmailPartition = (orgId: string, email: string): string => partition('MEE', orgId, email);
export const membershipConfigKey = (orgId: string, kind: ConfigKind, id: string): ItemKey =>
  key('MCF', [orgId], `${kind}#${id}`);
export const membershipConfigPartition = (orgId: string): string => partition('MCF', orgId);
export const venueKey = (orgId: string, venueId: string): ItemKey => key('EVT', [orgId], `V#${venueId}`);
export const eventKey = (orgId: string, eventId: number): ItemKey => key('EVT', [orgId], `E#${idText(eventId)}`);
export const eventsPartition = (orgId: string, ...narrower: string[]): string => partition('EVT', orgId, ...narrower);
/** The events once more, by a word of their title. */
export const eventWordPartition = (orgId: string, firstCharacter: string): string =>
  partition('EVV', orgId, firstCharacter);
export const priceCategoryKey = (orgId: string, eventId: number, categoryId: number): ItemKey =>
  key('EVC', [orgId, idText(eventId)], `C#${idText(categoryId)}`);
export const priceKey = (orgId: string, eventId: number, index: number): ItemKey =>
  key('EVC', [orgId, idText(eventId)], `P#${String(index).padStart(3, '0')}`);
/** The event once more, beside its categories and prices: whoever shows these reads all of it in one Query. */
export const pricedEventKey = (orgId: string, eventId: number): ItemKey => key('EVC', [orgId, idText(eventId)], 'E');
/** What is left of each price of an event, side by side: one Query reads all of it. */
export const stockKey = (orgId: string, eventId: number, index: number): ItemKey =>
  key('STK', [orgId, idText(eventId)], String(index).padStart(3, '0'));
/** Whose stock a partition holds. */
export function stockOwner(pk: string): { readonly orgId: string; readonly eventId: number } {
  const [, orgId = '', eventId = ''] = pk.split('#');
  return { orgId, eventId: Number(eventId) };
}
export const basketKey = (orgId: string, basketId: number): ItemKey => key('BSK', [orgId, idText(basketId)]);
/** A value that only one thing of a kind may have: the item says which one has it. */
export const uniqueKey = (orgId: string, kind: UniqueKind, value: string): ItemKey => key('UNI', [orgId, kind, value]);
/** What gates read. The item says whose it is: `kind` is member or ticket, and with it stands its id. */
export const barcodeKey = (orgId: string, barcode: string): ItemKey => key('BAR', [orgId, barcode]);
/** `place` is where the order stands among those of its event. */
export const orderKey = (orgId: string, eventId: number, sortKey: string): ItemKey =>
  key('ORD', [orgId, idText(eventId)], sortKey);
export const ordersPartition = (orgId: string, eventId: number, ...narrower: string[]): string =>
  partition('ORD', orgId, idText(eventId), ...narrower);
/** The orders of a customer, at all events. */
export const userOrdersPartition = (orgId: string, userId: number): string => partition('ORU', orgId, idText(userId));
/** The orders of an event once more, by a word: one partition per first character. */
export const orderWordPartition = (orgId: string, eventId: number, firstCharacter: string): string =>
  partition('ORV', orgId, idText(eventId), firstCharacter);
export const scanKey = (orgId: string, eventId: number, sortKey: string): ItemKey =>
  key('SCN', [orgId, idText(eventId)], sortKey);
export const scansPartition = (orgId: string, eventId: number): string => partition('SCN', orgId, idText(eventId));
/** What a gate names a reading by, so that a report that is sent twice is recorded once. */
export const nonceKey = (orgId: string, eventId: number, nonce: string): ItemKey =>
  key('NON', [orgId, idText(eventId), nonce]);
/** What one shard counted of an event's sales or scans in one bucket of time. */
export const counterKey = (orgId: string, eventId: number, partition: string, sortKey: string): ItemKey =>
  key('CNT', [orgId, idText(eventId), partition], sortKey);
/** Identity providers of an organisation, and whom their users are linked to. */
export const ssoKey = (orgId: string, sortKey: string): ItemKey => key('SSO', [orgId], sortKey);
export const ssoPartition = (orgId: string, ...narrower: string[]): string => partition('SSO', orgId, ...narrower);
/** `place` is a registered gate, or what the platform team knows of a gate token. */
export const gateKey = (orgId: string, sortKey: string): ItemKey => key('GATE', [orgId], sortKey);
export const gatesPartition = (orgId: string): string => partition('GATE', orgId);
/** Each token has a partition of its own: a stadium's gates together write more often than one partition takes. */
export const gateAuthKey = (orgId: string, tokenId: string): ItemKey => key('GATEAUTH', [orgId, tokenId]);
/** Who went through a gate at an event: of a member by the id, because a lost card is replaced by one with another barcode. */
export const memberPassagesKey = (orgId: string, memberId: number, eventId: number): ItemKey =>
  key('PASS', [orgId, idText(memberId)], idText(eventId));
export const sequenceKey = (orgId: string): ItemKey => key('SEQ', [orgId]);
export const pagePositionKey = (orgId: string, list: string, page: number): ItemKey =>
  key('PAGE', [orgId], `${list}#${String(page).padStart(9, '0')}`);
export const pingKey = (): ItemKey => key('PING', ['']);
/** What happened, in the order of its ids. A busy organisation's events are spread over several partitions. */
export const feedKey = (orgId: string, shard: number, eventId: string): ItemKey =>
  key('FEED', [orgId, String(shard)], eventId);
export const feedPartition = (orgId: string, shard: number): string => partition('FEED', orgId, String(shard));
/** Hints are the sweepers' and stand for all organisations together; each names its own. */
export const dueKey = (kind: DueKind, shard: number, sortKey: string): ItemKey =>
  key('DUE', [kind, String(shard)], sortKey);
export const duePartition = (kind: DueKind, shard: number): string => partition('DUE', kind, String(shard));
/** What the payment sandbox knows of a charge: it stands for a provider, which would have a store of its own. */
export const sandboxChargeKey = (orgId: string, chargeId: string): ItemKey => key('SBX', [orgId], chargeId);
export const idempotencyKey = (orgId: string, hash: string): ItemKey => key('IDM', [orgId, hash]);
export const webhookEndpointKey = (orgId: string, endpointId: string): ItemKey => key('HOOK', [orgId], endpointId);
export const webhookEndpointsPartition = (orgId: string): string => partition('HOOK', orgId);
/** Stands before the endpoints themselves. */
export const webhookEndpointCountKey = (orgId: string): ItemKey => key('HOOK', [orgId]);
/** How the endpoint is doing, and how fast it may be sent to. */
export const endpointStateKey = (orgId: string, endpointId: string): ItemKey => key('BRK', [orgId, endpointId]);
export const webhookDeliveryKey = (orgId: string, endpointId: string, eventId: string): ItemKey =>
  key('DLV', [orgId, endpointId], eventId);
export const webhookDeliveriesPartition = (orgId: string, endpointId: string): string =>
  partition('DLV', orgId, endpointId);
/** In an index: what waits until its endpoint can take it. */
export const webhookBacklogPartition = (orgId: string, endpointId: string): string =>
  partition('DLV', orgId, endpointId, 'backlog');
export const webhookReplayKey = (orgId: string, endpointId: string): ItemKey => key('RPL', [orgId, endpointId]);
