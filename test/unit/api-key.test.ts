import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOrganisationId, makeKey, parseKey } from '../../shared/http/auth/api-key.ts';

describe('API key format', () => {
  it('an API key names its organisation and key id, and is recognised by its hash', () => {
    const organisation = fc.stringMatching(/^[a-z0-9]{4,24}$/);
    const keyId = fc.stringMatching(/^[0-9a-z]{1,4}$/);
    fc.assert(
      fc.property(organisation, keyId, fc.constantFrom('live' as const, 'test' as const), (name, id, mode) => {
        const key = makeKey(mode, `org_${name}`, id);
        expect(key.text.startsWith(`gl_${mode}_`)).toBe(true);
        expect(parseKey(key.text)).toEqual({ orgId: `org_${name}`, keyId: id, hash: key.hash });
      }),
    );
  });

  it('an API key is never generated twice', () => {
    const keys = new Set(Array.from({ length: 1000 }, () => makeKey('live', 'org_same', '1').text));
    expect(keys.size).toBe(1000);
  });

  it('an API key with one changed character is refused before the table is read', () => {
    const { text } = makeKey('live', 'org_harbourfc', '1');
    for (let index = 0; index < text.length; index += 1) {
      const changed = text.slice(0, index) + (text[index] === 'a' ? 'b' : 'a') + text.slice(index + 1);
      expect(parseKey(changed), changed).toBeUndefined();
    }
  });

  it.each(['', 'gl_live_', 'Bearer x', 'gl_live_org_1_x_y', 'a'.repeat(10_000), 'gl_live_harbourfc_1_\u0000'])(
    '%j is not an API key',
    (text) => {
      expect(parseKey(text)).toBeUndefined();
    },
  );
});

describe('organisation id format', () => {
  it.each(['org_abcd', 'org_harbourfc1'])('an organisation id may be %s', (id) =>
    expect(isOrganisationId(id)).toBe(true),
  );
  it.each(['abcd', 'org_', 'org_a#b', 'org_a_bcd', 'org_ABCD', 'org_abc'])('an organisation id may not be %s', (id) =>
    expect(isOrganisationId(id)).toBe(false),
  );
});
