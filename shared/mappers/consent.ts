import {
  type Consent as ConsentRecord,
  type CurrentConsents,
  marketingEmails,
  wantsMarketingEmails,
} from '../domain/customers/consents.ts';
import { type CustomerRecord, lastChangedUnixOf } from '../domain/customers/customer.ts';
import type { Consent } from '../operations/schemas/consent.ts';
import { customerResource } from './customer.ts';

export function consentResource(
  userId: number,
  { purpose, channel, given, textVersion, ...said }: ConsentRecord,
): Consent {
  return {
    user_id: userId,
    purpose,
    channel,
    given,
    text_version: textVersion,
    source: said.source,
    recorded_at: Math.floor(said.atMs / 1000),
    order_id: said.orderId,
  };
}

/** What counts now. A customer who was imported before there was a history has agreed to emails in that import, as far as anybody knows. */
export function currentConsents(customer: CustomerRecord, { consents }: CurrentConsents): Consent[] {
  const isOnlyImported = customer.marketingEmails && wantsMarketingEmails(consents) === undefined;
  const imported: ConsentRecord = {
    ...marketingEmails,
    given: true,
    textVersion: null,
    source: 'import',
    atMs: lastChangedUnixOf(customer) * 1000,
    orderId: null,
  };
  return [...consents, ...(isOnlyImported ? [imported] : [])].map((one) => consentResource(customer.userId, one));
}

/** The event that announces what a person agrees to, or does not any more. */
export function consentChanged(orgId: string, customer: CustomerRecord, consent: ConsentRecord) {
  return {
    type: 'customer.consent_changed' as const,
    data: { customer: customerResource(orgId, customer), consent: consentResource(customer.userId, consent) },
  };
}
