import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { testAppleAccount } from '../../local/run/local-wallets.ts';
import { appleTicket } from '../../shared/documents/apple-pass.ts';
import { readSerial, ticketSerial } from '../../shared/documents/apple-serial.ts';
import { aTicketWithFacts } from '../support/ticket-facts.ts';

const account = testAppleAccount();
const folder = mkdtempSync(join(tmpdir(), 'gateline-apple-'));
afterAll(() => rmSync(folder, { recursive: true }));

const facts = aTicketWithFacts({ holder: 'שרה לוי', place: [{ key: 'row', label: 'Row', value: '12' }] });
const updates = {
  serialNumber: ticketSerial(facts),
  webService: { webServiceURL: 'https://api.example.com/v1/apple', authenticationToken: 'a'.repeat(43) },
};

/** The files of a pass, unpacked by unzip. */
function unpacked(pass: Uint8Array, name: string): string {
  const place = join(folder, name);
  writeFileSync(`${place}.pkpass`, pass);
  execFileSync('unzip', ['-q', `${place}.pkpass`, '-d', place]);
  return place;
}

/** Whether openssl accepts the signature of the manifest, by the authority of the account. */
function opensslAccepts(place: string): boolean {
  const authority = join(folder, 'authority.pem');
  writeFileSync(authority, account.authority);
  const files = ['-in', join(place, 'signature'), '-content', join(place, 'manifest.json'), '-CAfile', authority];
  try {
    execFileSync('openssl', ['smime', '-verify', '-inform', 'DER', ...files, '-purpose', 'any', '-out', '/dev/null'], {
      stdio: 'pipe',
    });
    return true;
  } catch {
    return false;
  }
}

describe('the Apple pass of a ticket', () => {
  const place = unpacked(appleTicket(account, facts, updates), 'valid');
  const pass = JSON.parse(readFileSync(join(place, 'pass.json'), 'utf8'));

  it('has a signature that openssl verifies against the authority, and none for a changed manifest', () => {
    expect(opensslAccepts(place)).toBe(true);
    const broken = unpacked(appleTicket(account, facts, updates), 'broken');
    writeFileSync(join(broken, 'manifest.json'), `${readFileSync(join(broken, 'manifest.json'), 'utf8')} `);
    expect(opensslAccepts(broken)).toBe(false);
  });

  it('has the hash of every file in its manifest', () => {
    const manifest = JSON.parse(readFileSync(join(place, 'manifest.json'), 'utf8'));
    const files = readdirSync(place).filter((name) => name !== 'manifest.json' && name !== 'signature');
    expect(Object.keys(manifest).sort()).toEqual(files.sort());
    for (const name of files)
      expect(manifest[name]).toBe(
        createHash('sha1')
          .update(readFileSync(join(place, name)))
          .digest('hex'),
      );
    expect(files).toEqual(expect.arrayContaining(['icon.png', 'icon@2x.png', 'icon@3x.png', 'pass.json']));
  });

  it('shows event, holder, seat and the barcode that gates read, and says where it asks for changes', () => {
    expect(pass).toMatchObject({
      formatVersion: 1,
      passTypeIdentifier: account.pass_type_id,
      teamIdentifier: account.team_id,
      organizationName: facts.organisation,
      backgroundColor: 'rgb(11, 37, 69)',
      serialNumber: updates.serialNumber,
      ...updates.webService,
      barcodes: [{ message: facts.barcode, format: 'PKBarcodeFormatQR', messageEncoding: 'utf-8' }],
      eventTicket: { primaryFields: [{ value: facts.event }] },
    });
    expect(pass.voided).toBeUndefined();
    const shown = pass.eventTicket.auxiliaryFields.map(({ label, value }: { label: string; value: string }) => [
      label,
      value,
    ]);
    expect(shown).toEqual([
      ['Row', '12'],
      ['Name', 'שרה לוי'],
      ['Ticket', 'Adult'],
    ]);
  });

  it('names no address on a stage without a domain', () => {
    const place = unpacked(appleTicket(account, facts, { serialNumber: updates.serialNumber }), 'no-domain');
    const shown = JSON.parse(readFileSync(join(place, 'pass.json'), 'utf8'));
    expect(JSON.stringify(shown)).not.toMatch(/webServiceURL|authenticationToken/);
  });

  it('is void without a barcode', () => {
    const gone = unpacked(appleTicket(account, { ...facts, barcode: null, holder: null }, updates), 'void');
    const shown = JSON.parse(readFileSync(join(gone, 'pass.json'), 'utf8'));
    expect(shown).toMatchObject({ voided: true, serialNumber: updates.serialNumber });
    expect(JSON.stringify(shown)).not.toMatch(/ABC123|barcode/);
  });
});

describe('the serial number of a pass', () => {
  it('names the ticket as one holder has it, or a member', () => {
    expect(readSerial(updates.serialNumber)).toEqual({
      kind: 'ticket',
      orgId: 'org_harbourfc',
      ticketId: 65,
      transfers: 0,
    });
    const card = { kind: 'member', orgId: 'org_harbourfc', memberId: 12 };
    expect(readSerial('org_harbourfc.m.12')).toEqual({ ...card, cardVersion: 0 });
    expect(readSerial('org_harbourfc.m.12.3')).toEqual({ ...card, cardVersion: 3 });
    for (const text of [
      '',
      'org_harbourfc',
      'org_harbourfc.t.65',
      'org_HARBOUR.t.65.0',
      'org_harbourfc.m.0',
      'org_harbourfc.m.12.0',
      'org_harbourfc.t.65.0 ',
    ])
      expect(readSerial(text), text).toBeUndefined();
  });
});
