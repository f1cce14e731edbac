import { createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKey } from '../platform/secret.ts';
import type { PassUpdates } from './apple-pass.ts';

/** The path below which devices ask for changes. Apple's own paths follow it. */
export const appleServicePath = '/v1/apple';

/** What a pass shows: a ticket as one holder has it, or the card of a member. */
export type PassSubject =
  | { readonly kind: 'ticket'; readonly orgId: string; readonly ticketId: number; readonly transfers: number }
  | { readonly kind: 'member'; readonly orgId: string; readonly memberId: number };

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

export function memberSerial({ orgId, memberId }: { orgId: string; memberId: number }): string {
  return `${orgId}.m.${memberId}`;
}

/** Reads a serial number; undefined for any other text. */
export function readSerial(serial: string): PassSubject | undefined {
  const [, orgId, ticketId, transfers, memberId] =
    /^(org_[a-z0-9]{4,24})\.(?:t\.([1-9]\d{0,15})\.(\d)|m\.([1-9]\d{0,15}))$/.exec(serial) ?? [];
  if (orgId === undefined) return undefined;
  return memberId === undefined
    ? { kind: 'ticket', orgId, ticketId: Number(ticketId), transfers: Number(transfers) }
    : { kind: 'member', orgId, memberId: Number(memberId) };
}

/** How the device of this pass asks for changes. Its token is derived from the serial number, so nothing is stored. */
export async function passUpdates(baseUrl: string, serialNumber: string): Promise<PassUpdates> {
  return { serialNumber, webServiceURL: baseUrl + appleServicePath, authenticationToken: await tokenOf(serialNumber) };
}

/** Whether a device sent the token of the pass: `Authorization: ApplePass <token>`. */
export async function isPassToken(serialNumber: string, authorization: string | undefined): Promise<boolean> {
  const [expected, sent] = [`ApplePass ${await tokenOf(serialNumber)}`, authorization ?? ''].map((text) =>
    createHmac('sha256', 'compare').update(text).digest(),
  );
  return expected !== undefined && sent !== undefined && timingSafeEqual(expected, sent);
}

async function tokenOf(serialNumber: string): Promise<string> {
  return createHmac('sha256', await derivedKey('apple-pass'))
    .update(serialNumber)
    .digest('base64url');
}
