import { hasCode } from '../../../site/browser/state/messages.ts';
import { call } from './api.ts';
import { signedIn } from './session.ts';

/**
 * Asks as the fan. A fan who is new here is linked to the customer with the verified address first, if there is one; the answer is
 * undefined if there is none.
 */
export async function asLinkedFan<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (!hasCode(error, 'sso_user_not_linked')) throw error;
    return (await linkToCustomer()) ? await ask() : undefined;
  }
}

async function linkToCustomer(): Promise<boolean> {
  try {
    await call('POST', '/v1/sso/link', signedIn());
    return true;
  } catch (error) {
    if (hasCode(error, 'sso_customer_missing', 'sso_email_not_verified', 'sso_link_ambiguous')) return false;
    throw error;
  }
}
