import { type SsoAlgorithm, ssoAlgorithms, ssoLimits } from '../../shared/domain/sso/provider.ts';
import type { ValueKind } from '../arguments.ts';
import { line } from './values.ts';

export const organisationArgument = { name: 'org_id', help: 'The organisation, such as org_harbourfc.' };

export const providerId: ValueKind<string> = {
  allowed: `1 to ${ssoLimits.providerId} small letters, digits and dashes`,
  parse: (text) => (/^[a-z0-9][a-z0-9-]*$/.test(text) && text.length <= ssoLimits.providerId ? text : undefined),
};

/** Compared letter by letter, so it is kept as it is given. */
export const issuer: ValueKind<string> = {
  allowed: `an https address without # of up to ${ssoLimits.issuer} characters`,
  parse: (text) => (isHttps(text) && !/[#\s]/.test(text) && text.length <= ssoLimits.issuer ? text : undefined),
};

export const httpsAddress: ValueKind<string> = {
  allowed: 'an https address without user and password',
  parse: (text) => (isHttps(text) && text.length <= 2_000 ? text : undefined),
};

function isHttps(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' && url.username === '' && url.password === '';
}

export const audienceList: ValueKind<readonly string[]> = {
  allowed: `1 to ${ssoLimits.audiences} texts, with commas between`,
  parse(text) {
    const audiences = [...new Set(text.split(',').map((audience) => line(ssoLimits.audience).parse(audience)))];
    const known = audiences.filter((audience) => audience !== undefined);
    return known.length === audiences.length && known.length <= ssoLimits.audiences ? known : undefined;
  },
};

export const algorithmList: ValueKind<readonly SsoAlgorithm[]> = {
  allowed: `some of ${ssoAlgorithms.join(', ')}, with commas between`,
  parse(text) {
    const names = text.split(',').map((name) => name.trim());
    const known = ssoAlgorithms.filter((algorithm) => names.includes(algorithm));
    return names.every((name) => ssoAlgorithms.some((algorithm) => algorithm === name)) ? known : undefined;
  },
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
const controlCharacters = /[\u0000-\u001f\u007f]/;

/** Compared letter by letter, so nothing is trimmed. */
export const subject: ValueKind<string> = {
  allowed: `one line of 1 to ${ssoLimits.subject} characters, exactly as tokens say it in "sub"`,
  parse: (text) => (text === '' || text.length > ssoLimits.subject || controlCharacters.test(text) ? undefined : text),
};
