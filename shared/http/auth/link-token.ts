import { createHmac } from 'node:crypto';
import { base62 } from './base62.ts';
import { isSameToken } from './basket-token.ts';

/** What the token of a link names: a ticket, as one holder has it. */
export interface TicketLink {
  readonly orgId: string;
  readonly ticketId: number;
  /** How often the ticket was given away before: the next holder has another link. */
  readonly transfers: number;
  /** The key of the organisation that signed it. */
  readonly keyVersion: number;
}

/** What the token of an order's link names: an order, as its buyer has it. */
export interface OrderLink {
  readonly orgId: string;
  readonly orderId: number;
  readonly keyVersion: number;
}

const pattern = /^gl_ticket_([a-z0-9]{4,24})_([1-9]\d{0,15})_(\d)_([1-9]\d{0,5})_[0-9A-Za-z]{43}$/;
const orderPattern = /^gl_order_([a-z0-9]{4,24})_([1-9]\d{0,15})_([1-9]\d{0,5})_[0-9A-Za-z]{43}$/;

/**
 * `gl_ticket_harbourfc_<ticket>_<transfers>_<key version>_<code>`: a message authentication code of the text before it. Nothing is
 * stored, and a wrong token is refused without a call. `rootKey` is derived from the secret of links; each organisation and each
 * version of its key has a key of its own.
 */
export function linkTokenOf(rootKey: Uint8Array, { orgId, ticketId, transfers, keyVersion }: TicketLink): string {
  return signed(rootKey, { orgId, keyVersion }, `gl_ticket_${nameOf(orgId)}_${ticketId}_${transfers}_${keyVersion}`);
}

/** `gl_order_harbourfc_<order>_<key version>_<code>`, signed as that of a ticket. */
export function orderTokenOf(rootKey: Uint8Array, { orgId, orderId, keyVersion }: OrderLink): string {
  return signed(rootKey, { orgId, keyVersion }, `gl_order_${nameOf(orgId)}_${orderId}_${keyVersion}`);
}

const nameOf = (orgId: string): string => orgId.replace(/^org_/, '');

function signed(
  rootKey: Uint8Array,
  { orgId, keyVersion }: Pick<TicketLink, 'orgId' | 'keyVersion'>,
  body: string,
): string {
  const key = createHmac('sha256', rootKey).update(`${orgId}#${keyVersion}`).digest();
  return `${body}_${base62(createHmac('sha256', key).update(body).digest(), 43)}`;
}

/** Reads a token and verifies its code; undefined for any other text. */
export function readLinkToken(rootKey: Uint8Array, text: string): TicketLink | undefined {
  const [, organisation, ticketId, transfers, keyVersion] = pattern.exec(text) ?? [];
  if (organisation === undefined) return undefined;
  const link = {
    orgId: `org_${organisation}`,
    ticketId: Number(ticketId),
    transfers: Number(transfers),
    keyVersion: Number(keyVersion),
  };
  return isSameToken(text, linkTokenOf(rootKey, link)) ? link : undefined;
}

/** Reads the token of an order and verifies its code; undefined for any other text. */
export function readOrderToken(rootKey: Uint8Array, text: string): OrderLink | undefined {
  const [, organisation, orderId, keyVersion] = orderPattern.exec(text) ?? [];
  if (organisation === undefined) return undefined;
  const link = { orgId: `org_${organisation}`, orderId: Number(orderId), keyVersion: Number(keyVersion) };
  return isSameToken(text, orderTokenOf(rootKey, link)) ? link : undefined;
}
