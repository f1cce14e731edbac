import { generateKeyPairSync } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { demoTokens } from '../../local/demo/sso.ts';
import { machineClock } from '../../shared/platform/machine-clock.ts';
import { guides } from '../support/guides.ts';

const day = 86_400;
afterEach(() => vi.useRealTimers());

describe('after the time of the local run was moved', () => {
  it('the tokens of the demo fans live on, as far as the time can be moved', () => {
    const { privateKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const nowUnix = Date.UTC(2026, 0, 1) / 1000;
    const tokens = demoTokens(
      { org_id: 'org_harbourfc', key_id: 'k', private_key: privateKey, verified_email: 'ada@example.com' },
      nowUnix,
    );
    for (const token of Object.values(tokens)) {
      const { exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
      expect(exp - nowUnix).toBeGreaterThan(100 * 365 * day);
    }
  });

  it('the time of the machine stays as it is', () => {
    const before = Date.now();
    expect(Math.abs(machineClock.nowMs() - before)).toBeLessThan(60_000);
    vi.useFakeTimers({ toFake: ['Date'], now: before + 30 * day * 1000 });
    expect(Math.abs(machineClock.nowMs() - before)).toBeLessThan(60_000);
  });

  it.each(guides)('the guide $name asks the service for the time, not the machine', ({ blocks }) => {
    const commands = blocks.filter(({ language }) => language === 'sh').map(({ code }) => code);
    for (const code of commands) expect(code).not.toMatch(/date \+|Date\.now\(\)|new Date\(\)/);
  });
});
