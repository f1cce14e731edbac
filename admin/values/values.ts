import { type KeyMode, keyModes } from '../../shared/domain/auth/api-keys.ts';
import { isScope, type Scope, scopes } from '../../shared/domain/auth/scopes.ts';
import { type MemberStatusId, memberStatusIds, statusName } from '../../shared/domain/members/status.ts';
import { isOrganisationId } from '../../shared/http/auth/api-key.ts';
import type { ValueKind } from '../arguments.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
const controlCharacters = /[\u0000-\u001f\u007f]/;

/** One line of text. */
export function line(maxLength: number): ValueKind<string> {
  return {
    allowed: `one line of 1 to ${maxLength} characters`,
    parse(text) {
      const trimmed = text.trim();
      return trimmed === '' || trimmed.length > maxLength || controlCharacters.test(trimmed) ? undefined : trimmed;
    },
  };
}

/** A value of the kind, or nothing: an empty text clears the field, as in the API's forms. */
export function clearable<Value>(kind: ValueKind<Value>): ValueKind<Value | null> {
  return {
    allowed: `${kind.allowed}; or "" for none`,
    parse: (text) => (text === '' ? null : kind.parse(text)),
  };
}

export function oneOf<Value extends string>(values: readonly Value[]): ValueKind<Value> {
  return { allowed: values.join(', '), parse: (text) => values.find((value) => value === text) };
}

export const keyMode: ValueKind<KeyMode> = oneOf(keyModes);

export const organisationId: ValueKind<string> = {
  allowed: 'org_ and then 4 to 24 small letters and digits',
  parse: (text) => (isOrganisationId(text) ? text : undefined),
};

export const keyId: ValueKind<string> = {
  allowed: 'a key id as key list shows it, such as 1 or 2c',
  parse: (text) => (/^[1-9a-z][0-9a-z]{0,3}$/.test(text) ? text : undefined),
};

/** A member status by its name or its number. */
export const memberStatus: ValueKind<MemberStatusId> = {
  allowed: memberStatusIds.map((id) => `${id} or ${statusName(id)}`).join(', '),
  parse: (text) => memberStatusIds.find((id) => text === String(id) || text === statusName(id)),
};

export const scopeList: ValueKind<readonly Scope[]> = {
  allowed: `all, or some of ${scopes.join(', ')}, with commas between`,
  parse(text) {
    if (text === 'all') return scopes;
    const names = text.split(',').map((name) => name.trim());
    return names.every(isScope) ? scopes.filter((scope) => names.includes(scope)) : undefined;
  },
};
