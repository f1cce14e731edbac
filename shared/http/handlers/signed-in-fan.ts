import { signedInUser } from '../../sso/signed-in.ts';
import type { Deps } from '../pipeline.ts';
import { problem } from '../problem.ts';
import type { Caller } from '../request-context.ts';

export interface Fan {
  readonly orgId: string;
  readonly userId: number;
}

type Request = Pick<Deps, 'table' | 'clock' | 'ssoToken'> & { readonly caller: Caller };

/**
 * The customer who is signed in at an identity provider of the caller's organisation. Only the operations for fans import
 * this, so that the others are not loaded with what verifies tokens.
 */
export async function signedInFan({ caller, table, clock, ssoToken }: Request): Promise<Fan> {
  const { orgId } = caller;
  if (ssoToken === undefined) {
    throw problem('sso_token_missing', "Send the fan's token of your identity provider in the header X-SSO-Token.");
  }
  const signedIn = await signedInUser(table, { orgId, token: ssoToken, nowMs: clock.nowMs() });
  switch (signedIn.outcome) {
    case 'linked':
      return { orgId, userId: signedIn.userId };
    case 'not_linked':
      throw problem('sso_user_not_linked', 'This SSO user has not been linked to an account of the organisation yet.');
    case 'invalid':
      throw problem(
        'sso_token_invalid',
        'The token in X-SSO-Token has expired, was not made for this service, or is not of an identity provider of this organisation. Let the fan sign in again.',
      );
    case 'unknowable':
      throw problem('dependency_unavailable', 'The identity provider does not answer. Send the request again.', {
        retryAfterSeconds: 10,
      });
  }
}
