import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { keySetProblem } from '../../shared/sso/key-set.ts';
import { KeySetCache, KeysUnavailable } from '../../shared/sso/key-set-cache.ts';
import { aSigningKey, bytesOf, IdentityProvider } from '../../tools/fixtures/sso.ts';

const uri = 'https://login.example.com/keys';
const minuteMs = 60_000;

/** A remote provider that can be down. */
function remote() {
  const provider = new IdentityProvider('https://login.example.com');
  const state = { isDown: false, fetches: 0, answer: undefined as string | undefined };
  const keySets = new KeySetCache({
    fetch: async () => {
      state.fetches += 1;
      if (state.isDown) throw new Error('connect ECONNREFUSED');
      return bytesOf(state.answer ?? provider.jwks());
    },
  });
  const kid = (index = 0): string => provider.keys[index]?.kid ?? '';
  return { provider, state, keySets, kid };
}

describe('fetched SSO keys', () => {
  it('SSO keys are fetched once and cached for ten minutes', async () => {
    const { keySets, state, kid } = remote();
    for (const minute of [0, 5, 10]) {
      expect(await keySets.findKey(uri, kid(), minute * minuteMs)).toMatchObject({ kid: kid() });
    }
    expect(state.fetches).toBe(1);
    await keySets.findKey(uri, kid(), 11 * minuteMs);
    expect(state.fetches).toBe(2);
  });

  it('SSO keys are fetched again for an unknown key id, so that a rotated key works immediately', async () => {
    const { keySets, provider, state, kid } = remote();
    await keySets.findKey(uri, kid(), 0);
    provider.rotate();
    expect(await keySets.findKey(uri, kid(), minuteMs)).toMatchObject({ kid: kid() });
    expect(await keySets.findKey(uri, kid(1), minuteMs)).toMatchObject({ kid: kid(1) });
    expect(state.fetches).toBe(2);
  });

  it('SSO keys do not include a withdrawn key for longer than ten minutes', async () => {
    const { keySets, provider, kid } = remote();
    const withdrawn = kid();
    await keySets.findKey(uri, withdrawn, 0);
    provider.rotate();
    provider.dropOldKeys();
    expect(await keySets.findKey(uri, withdrawn, 11 * minuteMs)).toBeUndefined();
  });

  it('SSO keys are not fetched repeatedly for invented key ids', async () => {
    const { keySets, state } = remote();
    for (let index = 0; index < 50; index += 1) {
      expect(await keySets.findKey(uri, `made-up-${index}`, index * 100)).toBeUndefined();
    }
    expect(state.fetches).toBe(1);
  });

  it('SSO keys stay valid for an hour while the provider is down, and are requested every ten seconds', async () => {
    const { keySets, state, kid } = remote();
    await keySets.findKey(uri, kid(), 0);
    state.isDown = true;
    for (let second = 0; second < 10; second += 1) {
      expect(await keySets.findKey(uri, kid(), 30 * minuteMs + second * 1000)).toMatchObject({ kid: kid() });
    }
    expect(state.fetches).toBe(2);
    await expect(keySets.findKey(uri, kid(), 61 * minuteMs)).rejects.toThrow(KeysUnavailable);
  });

  it('SSO keys that were never fetched, or that are no keys, leave a token undecided', async () => {
    const { keySets, state, kid } = remote();
    state.answer = '<html>Please sign in</html>';
    await expect(keySets.findKey(uri, kid(), 0)).rejects.toThrow(KeysUnavailable);
    state.answer = undefined;
    await expect(keySets.findKey(uri, kid(), 5_000)).rejects.toThrow(KeysUnavailable);
    expect(await keySets.findKey(uri, kid(), 10_000)).toMatchObject({ kid: kid() });
  });

  it('fetching SSO keys has a short time limit, over a real connection that never responds', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : 0;
    await expect(new KeySetCache().findKey(`https://127.0.0.1:${port}/keys`, 'any', 0)).rejects.toThrow(
      KeysUnavailable,
    );
    silent.close();
  });
});

describe('registering an SSO key set', () => {
  const jwk = (changes: object = {}) => ({
    ...aSigningKey().publicKey.export({ format: 'jwk' }),
    kid: 'a',
    ...changes,
  });
  const { privateKey } = aSigningKey();

  it.each([
    ['no JSON', 'keys', 'not a JSON Web Key Set'],
    ['no set', '{}', 'not a JSON Web Key Set'],
    ['empty', '{"keys":[]}', 'no key'],
    ['without key ids', JSON.stringify({ keys: [jwk({ kid: undefined })] }), 'no "kid"'],
    ['with one id twice', JSON.stringify({ keys: [jwk(), jwk()] }), 'the same "kid"'],
    ['with a private key', JSON.stringify({ keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'a' }] }), 'secret'],
    ['with a shared secret', JSON.stringify({ keys: [{ kty: 'oct', k: 'c2VjcmV0', kid: 'a' }] }), 'secret'],
    ['with a broken key', JSON.stringify({ keys: [jwk({ x: 'AA' })] }), 'broken'],
  ])('an SSO key set is refused when it is %s', (_case, text, reason) => {
    expect(keySetProblem(text)).toContain(reason);
  });

  it.each(['RS256', 'ES256', 'ES384', 'ES512', 'EdDSA'] as const)(
    'an SSO key set may contain a key for %s',
    (algorithm) => {
      expect(keySetProblem(new IdentityProvider('https://login.example.com', algorithm).jwks())).toBeUndefined();
    },
  );
});
