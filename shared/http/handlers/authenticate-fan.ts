import { findSignedInUser } from '../../sso/find-signed-in-user.ts';
import type { Deps } from '../pipeline.ts';
import { problem } from '../problem.ts';
import type { Caller } from '../request-context.ts';

export interface Fan {
  readonly orgId: string;
  readonly userId: number;
}

type Request = Pick<Deps, 'table' | 'clock' | 'ssoToken'> & { readonly caller: Caller };

/**
 * Finds the customer who is signed in at an identity provider of the caller's organisation. Only the operations for fans
 * import this file, so that the other functions do not contain the code that verifies tokens.
 */
export async function authenticateFan({ caller, table, clock, ssoToken }: Request): Promise<Fan> {
  const { orgId } = caller;
  if (ssoToken === undefined) {
    throw problem('sso_token_missing', "Send the fan's token from your identity provider in the X-SSO-Token header.");
  }
  const signedIn = await findSignedInUser(table, { orgId, token: ssoToken, nowMs: clock.nowMs() });
  switch (signedIn.outcome) {
    case 'linked':
      return { orgId, userId: signedIn.userId };
    case 'not_linked':
      throw problem(
        'sso_user_not_linked',
        'This SSO user is not linked to a customer of the organisation. Link the user first.',
      );
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
