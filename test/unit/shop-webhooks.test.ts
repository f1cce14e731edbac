import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { isFromGateline } from '../../examples/shop/server/verify-webhook.ts';

const secret = `whsec_${Buffer.from('a secret of the sample shop').toString('base64')}`;
const nowMs = Date.UTC(2026, 0, 1);
const body = '{"type":"order.completed"}';

function headersOf(sentMs: number, signatures?: string) {
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(sentMs / 1000),
    'webhook-signature': signatures ?? new Webhook(secret).sign('evt_1', new Date(sentMs), body),
  };
}

describe('webhooks of the sample shop', () => {
  it('a webhook with a valid signature is from Gateline, also beside a signature of another secret', () => {
    expect(isFromGateline(secret, headersOf(nowMs), body, nowMs)).toBe('yes');
    const both = `v1,AAAA ${headersOf(nowMs)['webhook-signature']}`;
    expect(isFromGateline(secret, headersOf(nowMs, both), body, nowMs)).toBe('yes');
  });

  it('a webhook with another body, id or signature is not from Gateline', () => {
    expect(isFromGateline(secret, headersOf(nowMs), `${body} `, nowMs)).toBe('wrong signature');
    expect(isFromGateline(secret, { ...headersOf(nowMs), 'webhook-id': 'evt_2' }, body, nowMs)).toBe('wrong signature');
    expect(isFromGateline(secret, headersOf(nowMs, 'v1,AAAA'), body, nowMs)).toBe('wrong signature');
    expect(isFromGateline(secret, {}, body, nowMs)).toBe('wrong signature');
  });

  it('a webhook that was recorded and is sent again later is refused', () => {
    expect(isFromGateline(secret, headersOf(nowMs - 301_000), body, nowMs)).toBe('too old or too new');
    expect(isFromGateline(secret, headersOf(nowMs + 301_000), body, nowMs)).toBe('too old or too new');
    expect(isFromGateline(secret, headersOf(nowMs - 300_000), body, nowMs)).toBe('yes');
  });
});
