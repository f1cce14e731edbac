import { createHmac, timingSafeEqual } from 'node:crypto';
import { apiAddress } from '../platform/env.ts';
import { passKey } from '../platform/secret.ts';
import type { PassUpdates } from './apple-pass.ts';

/** The path below which devices ask for changes. Apple's own paths follow it. */
const appleServicePath = '/v1/apple';

/** What a pass shows: a ticket as one holder has it, or one of the cards that a membership has had. */
export type PassSubject =
  | { readonly kind: 'ticket'; readonly orgId: string; readonly ticketId: number; readonly transfers: number }
  | { readonly kind: 'member'; readonly orgId: string; readonly memberId: number; readonly cardVersion: number };

/** The serial number of a ticket's pass. The next holder has another pass. */
export function ticketSerial({
  orgId,
  ticketId,
  transfers,
}: {
  orgId: string;
  ticketId: number;
  transfers: number;
}): string {
  return `${orgId}.t.${ticketId}.${transfers}`;
}

/** The serial number of a member's pass. The next card, and the next person, has another pass. */
export function memberSerial({
  orgId,
  memberId,
  cardVersion,
}: {
  orgId: string;
  memberId: number;
  cardVersion: number;
}): string {
  return `${orgId}.m.${memberId}${cardVersion === 0 ? '' : `.${cardVersion}`}`;
}

/** Reads a serial number; undefined for any other text. */
export function readSerial(serial: string): PassSubject | undefined {
  const [, orgId, ticketId, transfers, memberId, cardVersion = '0'] =
    /^(org_[a-z0-9]{4,24})\.(?:t\.([1-9]\d{0,15})\.(\d)|m\.([1-9]\d{0,15})(?:\.([1-9]\d{0,8}))?)$/.exec(serial) ?? [];
  if (orgId === undefined) return undefined;
  return memberId === undefined
    ? { kind: 'ticket', orgId, ticketId: Number(ticketId), transfers: Number(transfers) }
    : { kind: 'member', orgId, memberId: Number(memberId), cardVersion: Number(cardVersion) };
}

/**
 * How the device of this pass asks for changes. Its token is derived from the serial number, so nothing is stored. The address is a
 * setting of the stage: a phone keeps it for months, and whoever makes a request can choose its Host.
 */
export async function passUpdates(serialNumber: string, keyVersion: number): Promise<PassUpdates> {
  const address = apiAddress();
  if (address === null) return { serialNumber };
  const authenticationToken = await tokenOf(serialNumber, keyVersion);
  return { serialNumber, webService: { webServiceURL: address + appleServicePath, authenticationToken } };
}

/** The key version in the token that a device sent (`Authorization: ApplePass <token>`); undefined for a token of another pass. */
export async function readPassToken(
  serialNumber: string,
  authorization: string | undefined,
): Promise<number | undefined> {
  const [, version = '1'] = /^ApplePass (?:([1-9]\d{0,5})\.)?[\w-]{43}$/.exec(authorization ?? '') ?? [];
  const keyVersion = Number(version);
  const [expected, sent] = [`ApplePass ${await tokenOf(serialNumber, keyVersion)}`, authorization ?? ''].map((text) =>
    createHmac('sha256', 'compare').update(text).digest(),
  );
  return expected !== undefined && sent !== undefined && timingSafeEqual(expected, sent) ? keyVersion : undefined;
}

/** Names the version of the organisation's key, as a link does. Passes of the first one have a token without it. */
async function tokenOf(serialNumber: string, keyVersion: number): Promise<string> {
  const [prefix, signed] = keyVersion === 1 ? ['', serialNumber] : [`${keyVersion}.`, `${serialNumber}#${keyVersion}`];
  const code = createHmac('sha256', await passKey())
    .update(signed)
    .digest('base64url');
  return prefix + code;
}
