import { execFileSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { testGoogleAccount } from '../../local/run/local-wallets.ts';
import { googleSaveUrl, googleTicket, googleTicketObject } from '../../shared/documents/google-pass.ts';
import { voidFacts } from '../../shared/documents/ticket-facts.ts';
import { aTicketWithFacts } from '../support/ticket-facts.ts';

const account = testGoogleAccount();
const folder = mkdtempSync(join(tmpdir(), 'gateline-google-'));
afterAll(() => rmSync(folder, { recursive: true }));

const tokenIn = (url: string): string => url.slice('https://pay.google.com/gp/v/save/'.length);
const partOf = (token: string, index: number) =>
  JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString('utf8'));

/** Whether openssl accepts the signature of a JWT (RS256). */
function opensslAccepts(token: string): boolean {
  const [header, claims, signature = ''] = token.split('.');
  const file = (name: string, content: string | Buffer): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const key = file('key.pem', createPublicKey(account.private_key).export({ type: 'spki', format: 'pem' }));
  const sent = file('signature', Buffer.from(signature, 'base64url'));
  const signed = file('signed', `${header}.${claims}`);
  try {
    return /Verified OK/.test(
      execFileSync('openssl', ['dgst', '-sha256', '-verify', key, '-signature', sent, signed], { encoding: 'utf8' }),
    );
  } catch {
    return false;
  }
}

describe('the Google pass of a ticket', () => {
  const facts = aTicketWithFacts({ holder: 'Ada Lovelace', place: [{ key: 'row', label: 'Row', value: '12' }] });
  const url = googleSaveUrl(account, googleTicket(account, facts), 1_794_000_000);

  it('is a JWT that openssl verifies with the key of the service account, and not with one changed character', () => {
    const token = tokenIn(url);
    expect(opensslAccepts(token)).toBe(true);
    const [header, claims, signature] = token.split('.');
    expect(opensslAccepts(`${header}.${claims?.slice(0, -2)}AA.${signature}`)).toBe(false);
  });

  it('names issuer, event, holder, seat and the barcode that gates read', () => {
    const token = tokenIn(url);
    expect(partOf(token, 0)).toEqual({ alg: 'RS256', typ: 'JWT' });
    expect(partOf(token, 1)).toMatchObject({
      iss: account.client_email,
      aud: 'google',
      typ: 'savetowallet',
      iat: 1_794_000_000,
      payload: {
        eventTicketClasses: [
          {
            issuerName: facts.organisation,
            eventName: { defaultValue: { value: facts.event } },
            hexBackgroundColor: '#0b2545',
          },
        ],
        eventTicketObjects: [
          {
            barcode: { type: 'QR_CODE', value: facts.barcode },
            ticketHolderName: 'Ada Lovelace',
            seatInfo: { row: { defaultValue: { value: '12' } } },
          },
        ],
      },
    });
  });

  it('has another object for the next holder, and the same class and object after its event has moved', () => {
    const idsOf = (change: Partial<typeof facts>) => {
      const { eventTicketClasses, eventTicketObjects } = googleTicket(account, { ...facts, ...change });
      return [eventTicketClasses, eventTicketObjects].map((all) => all?.[0]?.id);
    };
    const [classId, objectId] = idsOf({});
    expect(idsOf({ transfers: 1 })).toEqual([classId, expect.not.stringMatching(`^${objectId}$`)]);
    expect(idsOf({ startUnix: 1 })).toEqual([classId, objectId]);
    // Two organisations may have tickets with the same number.
    for (const id of idsOf({ orgId: 'org_other' })) expect([classId, objectId]).not.toContain(id);
    for (const id of [classId, objectId]) expect(id).toMatch(/^\d+\.[\w.-]+$/);
  });

  it('is void without a barcode', () => {
    const object = googleTicketObject(account, voidFacts(facts, 0));
    expect(object).toMatchObject({ state: 'INACTIVE', classId: expect.any(String) });
    expect(JSON.stringify(object)).not.toMatch(/ABC123|barcode|Ada|seatInfo/);
  });

  it('stays short enough for a link with texts of any length', () => {
    const long = 'Ωραία '.repeat(60);
    const place = ['section', 'row', 'seat'].map((key) => ({ key, label: key, value: 'North-East 12' }));
    const longest = aTicketWithFacts({ event: long, organisation: 'Harbour City Football Club', holder: long, place });
    expect(tokenIn(googleSaveUrl(account, googleTicket(account, longest), 1)).length).toBeLessThan(2_600);
    expect(tokenIn(url).length).toBeLessThan(1_800);
  });
});
