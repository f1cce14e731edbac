import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { base62, base62Bytes } from '../../shared/http/auth/base62.ts';
import { keyMaker, newPrivateKey, signerOf, signToken } from '../../shared/http/auth/sign-token.ts';
import {
  checksum,
  isOrganisationId,
  parseSigningKeys,
  readToken,
  tokenKinds,
} from '../../shared/http/auth/signed-token.ts';

const signer = signerOf(newPrivateKey());
const keys = parseSigningKeys(signer.publicKey);
const makeKey = keyMaker(signer);

const organisation = fc.stringMatching(/^[a-z0-9]{4,24}$/).map((name) => `org_${name}`);
const tokenId = fc.stringMatching(/^[0-9a-z]{1,4}$/);

describe('signed tokens', () => {
  it('a token names its kind, organisation and id, and is recognised by its hash', () => {
    fc.assert(
      fc.property(organisation, tokenId, fc.constantFrom(...tokenKinds), (orgId, keyId, kind) => {
        const { text, hash } = signToken(kind, orgId, keyId, signer);
        expect(text.startsWith(`gl_${kind}_`)).toBe(true);
        expect(readToken(text, keys)).toEqual({ kind, orgId, keyId, hash });
      }),
    );
  });

  it('a token is never generated twice', () => {
    const texts = new Set(Array.from({ length: 200 }, () => makeKey('live', 'org_same', '1').text));
    expect(texts.size).toBe(200);
  });

  it('a token with one changed character is malformed', () => {
    const { text } = makeKey('live', 'org_harbourfc', '1');
    for (let index = 0; index < text.length; index += 1) {
      const changed = text.slice(0, index) + (text[index] === 'a' ? 'b' : 'a') + text.slice(index + 1);
      expect(readToken(changed, keys), changed).toBe('malformed');
    }
  });

  it('a truncated token is malformed', () => {
    const { text } = makeKey('live', 'org_harbourfc', '1');
    for (let length = 0; length < text.length; length += 1) {
      expect(readToken(text.slice(0, length), keys)).toBe('malformed');
    }
  });

  it.each(['', 'gl_live_', 'Bearer x', 'gl_live_org_1_x_y', 'a'.repeat(10_000), 'gl_live_harbourfc_1_\u0000'])(
    '%j is malformed',
    (text) => {
      expect(readToken(text, keys)).toBe('malformed');
    },
  );
});

/** Replaces a part of a token and corrects its checksum, as an attacker would who knows the format but not the signing key. */
function altered(text: string, change: (parts: string[]) => void): string {
  const parts = text.split('_').slice(0, -1);
  change(parts);
  const body = parts.join('_');
  return `${body}_${checksum(body)}`;
}

describe('forged tokens', () => {
  const { text } = makeKey('live', 'org_harbourfc', '1');

  it.each<[string, (parts: string[]) => void]>([
    ['another kind', (parts) => parts.splice(1, 1, 'gate')],
    ['another mode', (parts) => parts.splice(1, 1, 'test')],
    ['another organisation', (parts) => parts.splice(2, 1, 'lantern')],
    ['another id', (parts) => parts.splice(3, 1, '2')],
    ['another secret', (parts) => parts.splice(4, 1, 'a'.repeat(43))],
    ['another signature', (parts) => parts.splice(5, 1, signer.id + '1'.repeat(86))],
    ['a signature that is too large for 64 bytes', (parts) => parts.splice(5, 1, signer.id + 'z'.repeat(86))],
    ['an unknown signer', (parts) => parts.splice(5, 1, `0000${parts[5]?.slice(4)}`)],
  ])('a token with %s is forged', (_what, change) => {
    expect(readToken(altered(text, change), keys)).toBe('forged');
  });

  it('the signing key of another stage is not accepted', () => {
    const other = signerOf(newPrivateKey());
    expect(readToken(keyMaker(other)('live', 'org_harbourfc', '1').text, keys)).toBe('forged');
    // Not even if it has given its key the id of ours.
    const imitation = { ...other, id: signer.id };
    expect(readToken(keyMaker(imitation)('live', 'org_harbourfc', '1').text, keys)).toBe('forged');
  });

  it('during a rotation both signing keys are accepted, and a retired one is not', () => {
    const next = signerOf(newPrivateKey());
    const [old, young] = [signer, next].map((each) => keyMaker(each)('live', 'org_harbourfc', '1').text);
    const both = parseSigningKeys(`${signer.publicKey},${next.publicKey}`);
    expect([readToken(old ?? '', both), readToken(young ?? '', both)]).toMatchObject([{ keyId: '1' }, { keyId: '1' }]);
    expect(readToken(old ?? '', parseSigningKeys(next.publicKey))).toBe('forged');
  });
});

describe('public signing keys', () => {
  it.each(['none', '', 'a', `${signer.publicKey},`, `${signer.publicKey}=`])(
    '%j is refused, with what to do',
    (text) => {
      expect(() => parseSigningKeys(text)).toThrow(/is not a public signing key.*signing-key create/);
    },
  );

  it('a private key of another algorithm is refused', () => {
    expect(() => signerOf('not a key')).toThrow();
  });
});

describe('base62', () => {
  it('every sequence of bytes is read back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 64, maxLength: 64 }), (bytes) => {
        expect(base62Bytes(base62(bytes, 86), 64)).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it('other characters and larger numbers are refused', () => {
    expect(base62Bytes('-', 1)).toBeUndefined();
    expect(base62Bytes('zz', 1)).toBeUndefined();
  });
});

describe('organisation id format', () => {
  it.each(['org_abcd', 'org_harbourfc1'])('an organisation id may be %s', (id) =>
    expect(isOrganisationId(id)).toBe(true),
  );
  it.each(['abcd', 'org_', 'org_a#b', 'org_a_bcd', 'org_ABCD', 'org_abc'])('an organisation id may not be %s', (id) =>
    expect(isOrganisationId(id)).toBe(false),
  );
});
