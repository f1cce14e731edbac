import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { openSecret, sealSecret } from '../../shared/webhooks/secret-box.ts';
import { newSecret, signatureHeaders } from '../../shared/webhooks/signature.ts';

const nowUnix = () => Math.floor(Date.now() / 1000);
const message = (body: string) => ({ id: 'evt_01K5M7TZ0E', timestampUnix: nowUnix(), body });

describe('webhook signature', () => {
  it.each(['{}', '{"name":"Zoë 🎟"}', '{"text":"\\u0000"}', `{"long":"${'x'.repeat(100_000)}"}`])(
    'the webhook signature is what the standardwebhooks package expects of %.20s',
    (body) => {
      const secret = newSecret();
      const verified = new Webhook(secret).verify(body, signatureHeaders(message(body), [secret]));
      expect(verified).toEqual(JSON.parse(body));
    },
  );

  it('the webhook signature is valid for both secrets during a rotation, and for no other', () => {
    const [former, current, other] = [newSecret(), newSecret(), newSecret()];
    const headers = signatureHeaders(message('{}'), [current, former]);
    for (const secret of [former, current]) expect(new Webhook(secret).verify('{}', headers)).toEqual({});
    expect(() => new Webhook(other).verify('{}', headers)).toThrow('No matching signature');
  });

  it('the webhook signature is invalid when a byte of the body, the id or the time is changed', () => {
    const secret = newSecret();
    const headers = signatureHeaders(message('{"a":1}'), [secret]);
    const verify = (body: string, changed = {}) => new Webhook(secret).verify(body, { ...headers, ...changed });
    expect(() => verify('{"a":2}')).toThrow();
    expect(() => verify('{"a":1}', { 'webhook-id': 'evt_other' })).toThrow();
    expect(() => verify('{"a":1}', { 'webhook-timestamp': String(nowUnix() - 1) })).toThrow();
  });
});

describe('webhook secret at rest', () => {
  const key = new Uint8Array(32).fill(7);
  const secret = newSecret();

  it('an encrypted webhook secret opens for its own endpoint, and is different each time', () => {
    const sealed = sealSecret(key, 'org_a/we_1', secret);
    expect(openSecret(key, 'org_a/we_1', sealed)).toBe(secret);
    expect(sealSecret(key, 'org_a/we_1', secret)).not.toBe(sealed);
    expect(sealed).not.toContain(secret.slice(6, 20));
  });

  it('an encrypted webhook secret does not open for another endpoint, with another key, or when it was changed', () => {
    const sealed = sealSecret(key, 'org_a/we_1', secret);
    const changed = `${sealed.slice(0, -4)}AAAA`;
    expect(() => openSecret(key, 'org_b/we_1', sealed)).toThrow('cannot be decrypted');
    expect(() => openSecret(new Uint8Array(32).fill(8), 'org_a/we_1', sealed)).toThrow('cannot be decrypted');
    expect(() => openSecret(key, 'org_a/we_1', changed)).toThrow('cannot be decrypted');
  });
});
