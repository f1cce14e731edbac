import { type Admitted, gateLimits } from '../../shared/domain/gates/gate.ts';
import { parseId } from '../../shared/domain/ids.ts';
import type { ValueKind } from '../arguments.ts';

export const organisationArgument = { name: 'org_id', help: 'The organisation, such as org_harbourfc.' };

export const gateId: ValueKind<number> = { allowed: 'a whole number from 1', parse: parseId };

/** Ids as the API shows them. */
export const idList: ValueKind<readonly number[]> = {
  allowed: `1 to ${gateLimits.bounds} whole numbers, with commas between`,
  parse(text) {
    const ids = text.split(',').map((id) => parseId(id.trim()));
    const known = [...new Set(ids.filter((id) => id !== undefined))];
    return ids.includes(undefined) || known.length > gateLimits.bounds ? undefined : known;
  },
};

export const admitted: ValueKind<Admitted> = {
  allowed: `all, none, or up to ${gateLimits.codes} codes with commas between`,
  parse(text) {
    if (text === 'all') return 'all';
    if (text === 'none') return [];
    const codes = [...new Set(text.split(',').map((code) => code.trim()))];
    return codes.includes('') || codes.length > gateLimits.codes ? undefined : codes;
  },
};

export const tokenId: ValueKind<string> = {
  allowed: 'a token id as gate token list shows it, such as 7k2p',
  parse: (text) => (/^[0-9a-z]{1,4}$/.test(text) ? text : undefined),
};

export function showList(list: 'all' | readonly (string | number)[]): string {
  return list === 'all' ? 'all' : list.join(',') || 'none';
}
