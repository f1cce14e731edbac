import { type CheckoutConsents, type ConsentStatement, repeatedStatement } from '../../../domain/customers/consents.ts';
import type { ConsentInput } from '../../../operations/schemas/consent.ts';
import type { Clock } from '../../../platform/clock.ts';
import { problem } from '../../problem.ts';
import type { Caller } from '../../request-context.ts';

interface CheckoutBody {
  readonly consents: readonly ConsentInput[];
  readonly customer?: object | undefined;
}

export function consentStatement({ purpose, channel, given, text_version }: ConsentInput): ConsentStatement {
  return { purpose, channel, given, textVersion: text_version };
}

/** The consents of a checkout, as a part of its buyer; nothing without any. */
export function consentsOfBuyer(
  { consents, customer }: CheckoutBody,
  { caller, clock }: { readonly caller: Caller; readonly clock: Clock },
): { consents?: CheckoutConsents } {
  if (consents.length === 0) return {};
  if (customer === undefined) {
    const message = 'The parameter consents needs a customer. Without one, nobody agrees to anything.';
    throw problem('customer_required', message, { param: 'customer' });
  }
  const said = consents.map(consentStatement);
  const repeated = repeatedStatement(said);
  if (repeated !== undefined) {
    const param = `consents[${repeated}]`;
    throw problem('parameter_invalid', `${param} has the purpose and the channel of an earlier one. Send each once.`, {
      param,
    });
  }
  return { consents: { said, isTypedOnPage: caller.kind === 'storefront', atMs: clock.nowMs() } };
}
