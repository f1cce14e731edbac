import { readRenewalFacts } from '../../../shared/charges/renewal-facts.ts';
import { setAutoRenew as set } from '../../../shared/charges/set-auto-renew.ts';
import { memberToChange } from '../../../shared/http/handlers/callers/own-member.ts';
import { agreedText, notSwitchedProblem } from '../../../shared/http/handlers/problems/later-charges-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { renewalResource } from '../../../shared/mappers/membership-renewal.ts';
import { setAutoRenew } from '../../../shared/operations/members/set-auto-renew.ts';

export const handle: Handle<typeof setAutoRenew> = async ({ params, body }, deps) => {
  const { caller, table, clock, requestId } = deps;
  const consentText = agreedText(body);
  const { member, checkOwner } = await memberToChange(deps, params);
  const chargeDeps = { table, orgId: caller.orgId, clock, requestId };
  const result = await set(chargeDeps, { memberId: member.memberId, checkOwner, consentText });
  if (result.outcome !== 'set') throw notSwitchedProblem(result);
  const { renewal, members } = result;
  const facts = renewal.isOn ? await readRenewalFacts(chargeDeps, renewal, members) : undefined;
  return {
    membership_member_ids: [...renewal.memberIds],
    auto_renew: renewal.isOn,
    consent_given: renewal.isOn ? (renewal.consent?.givenUnix ?? null) : null,
    renewal: facts === undefined ? null : renewalResource(renewal, facts),
  };
};

export const handler = pipeline(setAutoRenew, handle);
