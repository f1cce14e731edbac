import type { Scope } from '../../shared/domain/auth/scopes.ts';
import { needsFanToken, type Operation } from '../../shared/operations/operation.ts';
import { operations } from '../../shared/operations/registry.ts';
import type { Tag } from '../../shared/operations/tags.ts';
import { showsPeople } from './people.ts';

export interface Profile {
  readonly resources: readonly Tag[];
  readonly scopes: readonly Scope[];
  /** Whether it offers operations that show people. Their data is masked in either case. */
  readonly people: boolean;
}

/** What an assistant can be used for. A profile names no operation: the registry says which ones belong to it. */
export const profiles = {
  catalogue: {
    resources: ['organisation', 'events', 'catalogue', 'jobs', 'membership'],
    scopes: ['read', 'catalogue:write'],
    people: false,
  },
  support: {
    resources: [
      'organisation',
      'customers',
      'events',
      'orders',
      'tickets',
      'baskets',
      'members',
      'membership',
      'requests',
      'withdrawals',
    ],
    scopes: ['read', 'baskets:write', 'members:write', 'orders:write'],
    people: true,
  },
  finance: {
    resources: ['organisation', 'events', 'orders', 'journal', 'documents'],
    scopes: ['read', 'finance', 'orders:write'],
    people: true,
  },
} as const satisfies Record<string, Profile>;

export type ProfileName = keyof typeof profiles;

export function isProfileName(text: string): text is ProfileName {
  return Object.hasOwn(profiles, text);
}

/** The scopes that reach something which cannot be undone. The key of an assistant has none of them. */
export const withheldScopes: readonly Scope[] = [
  ...new Set(operations.filter(({ effects }) => effects.cannotBeUndone).flatMap(({ auth }) => scopesOf(auth))),
];

/** The scopes that the key of an assistant needs. */
export function keyScopes({ scopes }: Profile): Scope[] {
  return scopes.filter((scope) => !withheldScopes.includes(scope));
}

/** Without such a scope, an assistant can only propose a call. */
export function needsApproval({ auth, method }: Operation): boolean {
  return method !== 'GET' && auth.kind !== 'public' && withheldScopes.includes(auth.scope);
}

/** What the profile offers. A read that needs a withheld scope is left out: there is nothing to approve in a read. */
export function operationsOf(profile: Profile): Operation[] {
  return operations.filter((operation) => {
    const allowed = needsApproval(operation) ? profile.scopes : keyScopes(profile);
    return (
      profile.resources.includes(operation.resource) &&
      scopesOf(operation.auth).some((scope) => allowed.includes(scope)) &&
      !needsFanToken(operation) &&
      // An assistant has no use for the bytes of a file.
      operation.output.mediaType === 'application/json' &&
      (profile.people || !showsPeople(operation))
    );
  });
}

function scopesOf(auth: Operation['auth']): Scope[] {
  if (auth.kind === 'public') return [];
  return auth.orScope === undefined ? [auth.scope] : [auth.scope, auth.orScope];
}
