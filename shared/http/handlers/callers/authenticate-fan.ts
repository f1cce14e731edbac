import type { SsoLink, SsoUser } from '../../../domain/sso/provider.ts';
import { findSignedInUser } from '../../../sso/find-signed-in-user.ts';
import type { Deps } from '../../pipeline.ts';
import { problem } from '../../problem.ts';
import type { Caller } from '../../request-context.ts';

export interface Fan {
  readonly orgId: string;
  readonly userId: number;
  /** What says so: it can be removed at any moment. */
  readonly link: SsoLink;
}

type Request = Pick<Deps, 'table' | 'clock' | 'ssoToken'> & { readonly caller: Caller };

/** Finds the customer who is signed in at an identity provider of the caller's organisation. */
export async function authenticateFan(request: Request): Promise<Fan> {
  const { link } = await authenticateSsoUser(request);
  if (link !== undefined) return { orgId: request.caller.orgId, userId: link.userId, link };
  throw problem(
    'sso_user_not_linked',
    'This SSO user is not linked to a customer of the organisation. Link the user first.',
  );
}

export interface SignedInUser {
  readonly user: SsoUser;
  /** Undefined if the user is not linked to a customer. */
  readonly link: SsoLink | undefined;
}

/**
 * Verifies the token of a fan. Only the operations that accept one import this file, so the other functions do not contain
 * the code that verifies tokens.
 */
export async function authenticateSsoUser({ caller, table, clock, ssoToken }: Request): Promise<SignedInUser> {
  if (ssoToken === undefined) {
    throw problem('sso_token_missing', "Send the fan's token from your identity provider in the X-SSO-Token header.");
  }
  const signedIn = await findSignedInUser(table, { orgId: caller.orgId, token: ssoToken, nowMs: clock.nowMs() });
  switch (signedIn.outcome) {
    case 'linked':
      return { user: signedIn.user, link: signedIn.link };
    case 'not_linked':
      return { user: signedIn.user, link: undefined };
    case 'invalid':
      throw problem(
        'sso_token_invalid',
        'The token in X-SSO-Token has expired, was not issued for this service, or comes from an unknown identity provider. Ask the fan to sign in again.',
      );
    case 'provider_unavailable':
      throw problem('dependency_unavailable', 'The identity provider is unavailable. Try again later.', {
        retryAfterSeconds: 10,
      });
  }
}
