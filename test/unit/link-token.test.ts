import { describe, expect, it } from 'vitest';
import { linkTokenOf, readLinkToken } from '../../shared/http/auth/link-token.ts';

const key = new Uint8Array(32).fill(7);
const link = { orgId: 'org_harbourfc', ticketId: 1_234_567, transfers: 2, keyVersion: 3 };
const token = linkTokenOf(key, link);

describe('the token of a ticket link', () => {
  it('names one ticket of one organisation, one holder and one key', () => {
    expect(token).toMatch(/^gl_ticket_harbourfc_1234567_2_3_[0-9A-Za-z]{43}$/);
    expect(readLinkToken(key, token)).toEqual(link);
  });

  it('with one character changed, added or removed is no token', () => {
    for (const index of token.split('').keys()) {
      const other = token.charAt(index) === '1' ? '2' : '1';
      expect(readLinkToken(key, token.slice(0, index) + other + token.slice(index + 1)), String(index)).toBeUndefined();
      expect(readLinkToken(key, token.slice(0, index) + token.slice(index + 1)), String(index)).toBeUndefined();
    }
    for (const text of ['', `${token}1`, ` ${token}`, `${token}\n`, token.toUpperCase(), token.replace('_2_', '_02_')])
      expect(readLinkToken(key, text), text).toBeUndefined();
  });

  it.each([
    ['ticket', { ticketId: 1_234_568 }],
    ['holder', { transfers: 3 }],
    ['key of the organisation', { keyVersion: 4 }],
    ['organisation', { orgId: 'org_harbourf' }],
  ])('of another %s has another code', (_what, change) => {
    const codeOf = (text: string) => text.slice(-43);
    expect(codeOf(linkTokenOf(key, { ...link, ...change }))).not.toBe(codeOf(token));
    expect(readLinkToken(new Uint8Array(32), token)).toBeUndefined();
  });
});
