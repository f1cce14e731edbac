import { customerToChange } from '../../../shared/http/handlers/callers/own-customer.ts';
import { isForFan } from '../../../shared/http/handlers/callers/own-member.ts';
import { consentStatement } from '../../../shared/http/handlers/input/consents.ts';
import { customerNotFound } from '../../../shared/http/handlers/problems/customer-not-found.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { problem } from '../../../shared/http/problem.ts';
import { consentResource } from '../../../shared/mappers/consent.ts';
import { recordConsent } from '../../../shared/operations/customers/record-consent.ts';
import { recordConsents } from '../../../shared/sales/consents/record-consents.ts';

export const handle: Handle<typeof recordConsent> = async ({ params, body }, deps) => {
  const { caller, table, clock, requestId, receipt } = deps;
  const { customer, ownerChecks } = await customerToChange(deps, params);
  const { userId } = customer;
  const source = isForFan(deps) ? 'page' : 'staff';
  const recorded = await recordConsents(
    { table, orgId: caller.orgId, clock, requestId },
    { userId, said: [consentStatement(body)], source, callerItems: ownerChecks },
    (consents) => consents.flatMap((consent) => receipt(consentResource(userId, consent))),
  );
  if (recorded.outcome === 'too_many') {
    const message = 'A customer has consents for at most 50 pairs of purpose and channel. Use a purpose that it has.';
    throw problem('parameter_invalid', message, { param: 'purpose' });
  }
  // An erased customer, or a fan who was unlinked meanwhile.
  const [consent] = recorded.outcome === 'recorded' ? recorded.consents : [];
  if (consent === undefined) throw customerNotFound(params.customer_id);
  return consentResource(userId, consent);
};

export const handler = pipeline(recordConsent, handle);
