import { savedCard } from '../../../shared/charges/saved-card.ts';
import { setPaymentMethod as save } from '../../../shared/charges/set-payment-method.ts';
import { checkReturnUrl } from '../../../shared/http/handlers/callers/check-return-url.ts';
import { memberToChange } from '../../../shared/http/handlers/callers/own-member.ts';
import { methodProblem } from '../../../shared/http/handlers/problems/later-charges-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { setPaymentMethod } from '../../../shared/operations/members/set-payment-method.ts';
import { livePayments } from '../../../shared/payments/live.ts';

export const handle: Handle<typeof setPaymentMethod> = async ({ params, body }, deps) => {
  const { caller, table, clock, requestId, baseUrl } = deps;
  const returnUrl = await checkReturnUrl(deps, body.return_url);
  const { member, checkOwner } = await memberToChange(deps, params);
  const { memberId } = member;
  const payments = livePayments(table, baseUrl);
  const chargeDeps = { table, orgId: caller.orgId, clock, requestId, payments };
  const result = await save(chargeDeps, {
    memberId,
    checkOwner,
    returnUrl,
    paymentMethod: body.payment_method,
  });
  if (result.outcome !== 'saved' && result.outcome !== 'waiting') throw methodProblem(result);
  const { saved } = result.renewal;
  return {
    membership_member_ids: [...result.renewal.memberIds],
    is_saved: result.outcome === 'saved',
    payment_method: result.outcome === 'saved' && saved !== null ? await savedCard(payments, saved) : null,
    setup: result.outcome === 'waiting' ? result.setup : null,
  };
};

export const handler = pipeline(setPaymentMethod, handle);
