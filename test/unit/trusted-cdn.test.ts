import { describe, expect, it } from 'vitest';
import { formatCdn, getClientAddress, parseCdn } from '../../shared/http/auth/trusted-cdn.ts';
import { apiEvent } from '../../tools/fixtures/api-event.ts';
import { cdnSecret, testCdn, throughCdn } from '../support/cdn.ts';

const connection = '192.0.2.1';

function addressOf(headers: Record<string, string>, cdn: typeof testCdn | undefined = testCdn): string {
  const event = apiEvent({ headers });
  event.requestContext.identity.sourceIp = connection;
  return getClientAddress(event, cdn);
}

describe('the client address behind a CDN', () => {
  it.each([
    ['203.0.113.7:46532', '203.0.113.7'],
    ['2001:db8::8a2e:370:7334:46532', '2001:db8::8a2e:370:7334'],
    ['2001:db8:1:2:3:4:5:6:443', '2001:db8:1:2:3:4:5:6'],
  ])('CloudFront sends %s: the address is %s', (sent, address) => {
    expect(addressOf(throughCdn(sent))).toBe(address);
  });

  it('a CDN that sends the address alone is configured by the name of its header', () => {
    const cdn = { ...testCdn, addressHeader: 'CF-Connecting-IP' };
    const headers = { 'cf-connecting-ip': '2001:db8::1', 'x-origin-secret': cdnSecret };
    expect(addressOf(headers, cdn)).toBe('2001:db8::1');
  });

  it.each([
    ['without a secret', { 'CloudFront-Viewer-Address': '203.0.113.7:1' }],
    ['with a wrong secret', throughCdn('203.0.113.7:1', 'guessed')],
    ['with the hash instead of the secret', throughCdn('203.0.113.7:1', testCdn.secretHashes[0])],
    ['without an address', { 'X-Origin-Secret': cdnSecret }],
    ['with a text that is not an address', throughCdn('example.com:443')],
    ['with several addresses', throughCdn('203.0.113.7, 203.0.113.8:1')],
    ['with other headers', { ...throughCdn(''), 'X-Forwarded-For': '203.0.113.7', Forwarded: 'for=203.0.113.7' }],
  ])('a request %s counts for the address of its connection', (_what, headers) => {
    expect(addressOf(headers)).toBe(connection);
  });

  it('two values of one header, of the client and of the CDN, are not trusted', () => {
    const event = apiEvent({ headers: throughCdn('203.0.113.7:1') });
    event.requestContext.identity.sourceIp = connection;
    event.multiValueHeaders = { ...event.multiValueHeaders, 'x-origin-secret': ['guessed'] };
    expect(getClientAddress(event, testCdn)).toBe(connection);
  });

  it('without a configured CDN, no header of a client changes its address', () => {
    const headers = { ...throughCdn('203.0.113.7:1'), 'X-Forwarded-For': '203.0.113.7', 'X-Real-IP': '203.0.113.7' };
    const event = apiEvent({ headers });
    event.requestContext.identity.sourceIp = connection;
    expect(getClientAddress(event, undefined)).toBe(connection);
  });

  it('both secrets are accepted while one replaces the other', () => {
    const cdn = { ...testCdn, secretHashes: ['0'.repeat(64), ...testCdn.secretHashes] };
    expect(addressOf(throughCdn('203.0.113.7:1'), cdn)).toBe('203.0.113.7');
  });

  it('the configuration is off by default, survives the environment variable, and is checked when the stack is synthesized', () => {
    expect(parseCdn(formatCdn(undefined))).toBeUndefined();
    expect(parseCdn(formatCdn(testCdn))).toEqual(testCdn);
    expect(() => formatCdn({ ...testCdn, secretHashes: [] })).toThrow('A CDN needs the SHA-256 of its secret.');
    expect(() => formatCdn({ ...testCdn, secretHashes: [cdnSecret] })).toThrow('64 lower-case hexadecimal digits');
    expect(() => formatCdn({ ...testCdn, addressHeader: 'a b' })).toThrow('A header name has letters');
  });
});
