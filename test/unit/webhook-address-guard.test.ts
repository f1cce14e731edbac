import { describe, expect, it } from 'vitest';
import { forbiddenAddress, forbiddenUrl } from '../../shared/webhooks/address-guard.ts';
import { forbiddenAddresses, forbiddenUrls } from '../support/webhooks/forbidden-addresses.ts';

const onAws = { allowLoopback: false };
const locally = { allowLoopback: true };

describe('webhook address guard on AWS', () => {
  it.each(forbiddenUrls)('the webhook address guard refuses %s', (url) => {
    expect(forbiddenUrl(url, onAws)).toMatch(/^must /);
  });

  it.each(forbiddenAddresses)('the webhook address guard refuses a name that resolves to %s', (address) => {
    expect(forbiddenAddress(address, onAws)).toContain(address);
  });

  it.each(['8.8.8.8', '1.1.1.1', '52.95.110.1', '2606:4700:4700::1111', '2a00:1450:4001:81b::200e'])(
    'the webhook address guard allows a name that resolves to %s',
    (address) => {
      expect(forbiddenAddress(address, onAws)).toBeUndefined();
    },
  );

  it.each([
    'https://hooks.example.com/gateline',
    'https://hooks.example.com:8443/a?b=c',
    'https://hooks.example.com:443/',
    'https://hooks.example.com:1024/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/x',
    'https://bücher.example/',
    `https://hooks.example.com/${'./'.repeat(2_000)}`,
  ])('the webhook address guard allows %s', (url) => {
    expect(forbiddenUrl(url, onAws)).toBeUndefined();
  });

  it.each([
    ['http://hooks.example.com/', 'must start with https://.'],
    ['http://127.0.0.1:4000/', 'must start with https://.'],
    ['ftp://hooks.example.com/', 'must be an absolute https URL.'],
    ['file:///etc/passwd', 'must be an absolute https URL.'],
    ['hooks.example.com', 'must be an absolute https URL.'],
    ['/path', 'must be an absolute https URL.'],
    ['', 'must be an absolute https URL.'],
    ['https://', 'must be an absolute https URL.'],
    ['https://hooks.example.com:99999/', 'must be an absolute https URL.'],
    ['https://hooks.example.com:25/', 'must have port 443 or a port above 1023.'],
    ['https://hooks.example.com:0/', 'must have port 443 or a port above 1023.'],
    ['https://hooks.example.com:1023/', 'must have port 443 or a port above 1023.'],
    ['https://user@hooks.example.com/', 'must not contain a user name or a password.'],
    ['https://user:secret@hooks.example.com/', 'must not contain a user name or a password.'],
    ['https://:secret@hooks.example.com/', 'must not contain a user name or a password.'],
    ['https://hooks.example.com@127.0.0.1/', 'must not contain a user name or a password.'],
    [`https://hooks.example.com/${'x'.repeat(2_048)}`, 'must have at most 2048 characters after URL encoding.'],
    [`https://hooks.example.com/${'ü'.repeat(400)}`, 'must have at most 2048 characters after URL encoding.'],
  ])('the webhook address guard refuses %s with a reason', (url, why) => {
    expect(forbiddenUrl(url, onAws)).toBe(why);
  });
});

describe('webhook address guard of the local run', () => {
  it.each(['http://127.0.0.1:4000/hook', 'http://localhost:4000/', 'https://127.0.0.1/', 'http://[::1]:4000/'])(
    'the local webhook address guard allows a receiver on this machine: %s',
    (url) => {
      expect(forbiddenUrl(url, locally)).toBeUndefined();
    },
  );

  it.each([
    'http://hooks.example.com/',
    'http://10.0.0.1/',
    'https://10.0.0.1/',
    'https://169.254.169.254/',
    'https://[::ffff:127.0.0.1]/',
    'https://0.0.0.0/',
    'http://user@127.0.0.1/',
  ])('the local webhook address guard refuses %s', (url) => {
    expect(forbiddenUrl(url, locally)).toMatch(/^must /);
  });
});
