import { describe, expect, it } from 'vitest';
import { appleAccountFrom, googleAccountFrom } from '../../admin/commands/wallet.ts';
import { testAppleAccount, testGoogleAccount } from '../../local/run/local-wallets.ts';
import { certificateDaysLeft, endsSoon } from '../../shared/documents/apple-certificate.ts';

const [apple, other] = [testAppleAccount(), testAppleAccount()];
const google = testGoogleAccount();

describe('wallet apple', () => {
  it('takes pass type and team from the certificate', () => {
    expect(appleAccountFrom(apple.certificate, apple.private_key, apple.authority)).toEqual(apple);
  });

  it.each([
    ['a key of another certificate', { private_key: other.private_key }, 'does not belong'],
    ['another issuer', { authority: other.authority }, 'not issued by'],
    ['a certificate of no pass type', { certificate: apple.authority }, ''],
    ['no PEM', { certificate: 'certificate' }, 'as PEM'],
  ])('refuses %s', (_what, change, message) => {
    const { certificate, private_key, authority } = { ...apple, ...change };
    expect(() => appleAccountFrom(certificate, private_key, authority)).toThrow(message);
  });

  it('the certificate has whole days left until its end', () => {
    const endMs = Date.UTC(2120, 0, 1);
    expect(certificateDaysLeft(apple, endMs - 60 * 86_400_000)).toBe(60);
    expect(certificateDaysLeft(apple, endMs - 60 * 86_400_000 + 1)).toBe(59);
    expect(certificateDaysLeft(apple, endMs + 1)).toBe(-1);
    expect([60, 59, -1].map(endsSoon)).toEqual([false, true, true]);
  });
});

describe('wallet google', () => {
  it('takes the account from the key file', () => {
    const { issuer_id, ...file } = google;
    expect(googleAccountFrom(JSON.stringify({ type: 'service_account', ...file }), issuer_id)).toEqual(google);
  });

  it.each([
    ['no JSON', 'key', '33'],
    ['no private key', JSON.stringify({ client_email: google.client_email }), '33'],
    ['a broken private key', JSON.stringify({ ...google, private_key: '-----BEGIN PRIVATE KEY-----\n' }), '33'],
    ['another issuer id', JSON.stringify(google), 'three'],
  ])('refuses %s', (_what, file, issuer) => {
    expect(() => googleAccountFrom(file, issuer)).toThrow('not the key of a service account');
  });
});
