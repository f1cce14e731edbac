import { describe, expect, it } from 'vitest';
import { isOriginAllowed, parseOrigin } from '../../shared/domain/auth/storefront.ts';
import { clientAddressId } from '../../shared/http/auth/client-address.ts';

describe('origins of a storefront token', () => {
  it.each([
    ['https://shop.harbourfc.example', 'https://shop.harbourfc.example'],
    ['https://Shop.HarbourFC.example/', 'https://shop.harbourfc.example'],
    ['https://shop.harbourfc.example:443', 'https://shop.harbourfc.example'],
    ['https://shop.harbourfc.example:8443', 'https://shop.harbourfc.example:8443'],
    ['https://fußball.example', 'https://xn--fuball-cta.example'],
  ])('%s is stored as browsers send it', (text, origin) => {
    expect([parseOrigin(text, 'live'), parseOrigin(text, 'test')]).toEqual([origin, origin]);
  });

  it.each([
    ['*'],
    ['null'],
    ['https://*.harbourfc.example'],
    ['https://shop.harbourfc.example/path'],
    ['https://shop.harbourfc.example?x'],
    ['https://user@shop.harbourfc.example'],
    ['https://shop.harbourfc.example.'],
    ['https://shop.harbourfc.example:*'],
    ['ftp://shop.harbourfc.example'],
    ['data:text/html,x'],
    ['shop.harbourfc.example'],
    ['https://localhost:*'],
    ['http://localhost.evil.example:*'],
    [''],
  ])('%s is refused', (text) => {
    expect([parseOrigin(text, 'live'), parseOrigin(text, 'test')]).toEqual([undefined, undefined]);
  });

  it.each([['http://localhost:*'], ['http://127.0.0.1:*'], ['http://localhost:5173'], ['http://staging.example']])(
    '%s is only for test tokens',
    (text) => {
      expect([parseOrigin(text, 'live'), parseOrigin(text, 'test')]).toEqual([undefined, text]);
    },
  );

  const allowed = ['https://shop.harbourfc.example', 'http://localhost:*', 'https://xn--fuball-cta.example'];
  it.each([
    ['https://shop.harbourfc.example', true],
    ['http://localhost', true],
    ['http://localhost:5173', true],
    ['https://xn--fuball-cta.example', true],
    ['https://SHOP.harbourfc.example', false],
    ['HTTPS://shop.harbourfc.example', false],
    ['https://shop.harbourfc.example.', false],
    ['https://shop.harbourfc.example:443', false],
    ['https://shop.harbourfc.example:8443', false],
    ['https://shop.harbourfc.example/', false],
    ['http://shop.harbourfc.example', false],
    ['https://evil.shop.harbourfc.example', false],
    ['https://harbourfc.example', false],
    ['https://shop.harbourfc.example.evil.example', false],
    ['https://shopXharbourfc.example', false],
    ['https://fußball.example', false],
    ['https://localhost:5173', false],
    ['http://localhost:', false],
    ['http://localhost:5173.evil.example', false],
    ['http://localhost:*', false],
    ['http://localhost.evil.example', false],
    ['http://localhost:5173, https://evil.example', false],
    ['null', false],
    ['', false],
    ['*', false],
  ])('the page %s is allowed: %s', (origin, isAllowed) => {
    expect(isOriginAllowed(allowed, origin)).toBe(isAllowed);
  });
});

describe('client addresses', () => {
  it.each([
    ['2001:db8:1:2::1', '2001:0DB8:0001:0002:ffff:ffff:ffff:ffff'],
    ['2001:db8::1', '2001:db8:0:0:1::'],
    ['::1', '0:0:0:0:0:0:0:2'],
    ['203.0.113.7', '::ffff:203.0.113.7'],
    ['fe80::1%eth0', 'fe80::2'],
  ])('%s and %s are the same client', (one, other) => {
    expect(clientAddressId(one)).toBe(clientAddressId(other));
  });

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['2001:db8::1', '2001:db9::1'],
    ['203.0.113.7', '203.0.113.8'],
    ['::203.0.113.7', '203.0.113.7'],
  ])('%s and %s are different clients', (one, other) => {
    expect(clientAddressId(one)).not.toBe(clientAddressId(other));
  });

  it('the text does not contain the address', () => {
    expect(clientAddressId('203.0.113.7')).toMatch(/^[\w-]{16}$/);
  });
});
