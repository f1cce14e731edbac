import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { handler } from '../../functions/routes/receive-stripe-event.ts';
import { isStripeSignature } from '../../shared/payments/stripe-events.ts';
import { KeptSecret } from '../../shared/platform/kept-secret.ts';
import { printedLines } from '../support/printed-lines.ts';
import { signed } from '../support/stripe-events.ts';

const hmac = 'a'.repeat(64);

describe("the signature of Stripe's events", () => {
  it.each([signed(1_800_000_000, {}).signature, `t=1,v1=${hmac},v1=${hmac}`, `t=1,v0=${hmac},v1=${hmac}`])(
    '%s has the right form',
    (header) => expect(isStripeSignature(header)).toBe(true),
  );

  it.each([
    '',
    't=1',
    `v1=${hmac}`,
    't=1,v1=abc',
    `t=now,v1=${hmac}`,
    `t=1,v0=${hmac}`,
    `t=1,v1=${hmac}${',v1=x'.repeat(300)}`,
  ])('%s is malformed', (header) => expect(isStripeSignature(header)).toBe(false));

  it('a request without a signature or with a malformed one is refused before the secret is read', async () => {
    const statusOf = async (headers: Record<string, string>) => {
      const requestContext = { requestId: 'r' };
      const event = { resource: '/v1/stripe/events', httpMethod: 'POST', headers, body: '{}', requestContext };
      let status = 0;
      await printedLines(async () => {
        ({ statusCode: status } = await handler(event as unknown as APIGatewayProxyEvent, {} as Context));
      });
      return status;
    };
    expect(await statusOf({})).toBe(400);
    expect(await statusOf({ 'Stripe-Signature': 't=1,v1=abc' })).toBe(400);
    // No secret is configured here, so a request that gets further fails.
    expect(await statusOf({ 'Stripe-Signature': `t=1,v1=${hmac}` })).toBe(500);
  });
});

describe('a kept secret', () => {
  function given() {
    const state = { stored: 'one\n', reads: 0, nowMs: 0 };
    const read = async () => {
      state.reads += 1;
      return state.stored;
    };
    return { state, secret: new KeptSecret(read, { nowMs: () => state.nowMs }) };
  }

  it('is read once a minute', async () => {
    const { state, secret } = given();
    expect([await secret.text(), await secret.text(), state.reads]).toEqual(['one', 'one', 1]);
    state.stored = 'two';
    state.nowMs = 59_999;
    expect(await secret.text()).toBe('one');
    state.nowMs = 60_000;
    expect([await secret.text(), state.reads]).toEqual(['two', 2]);
  });

  it('is read again after a mismatch, at most once a minute', async () => {
    const { state, secret } = given();
    await secret.text();
    state.stored = 'two';
    state.nowMs = 1_000;
    expect([await secret.afterMismatch(), state.reads]).toEqual(['two', 2]);
    state.stored = 'three';
    for (let flood = 0; flood < 100; flood += 1) expect(await secret.afterMismatch()).toBeUndefined();
    expect([await secret.text(), state.reads]).toEqual(['two', 2]);
    state.nowMs = 61_000;
    expect([await secret.afterMismatch(), state.reads]).toEqual(['three', 3]);
  });

  it('that has not changed matches nothing more', async () => {
    const { secret } = given();
    await secret.text();
    expect(await secret.afterMismatch()).toBeUndefined();
  });
});
