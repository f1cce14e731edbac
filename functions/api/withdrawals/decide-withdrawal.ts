import { unwrapDecided } from '../../../shared/http/handlers/problems/withdrawal-problems.ts';
import { type Handle, type Input, pipeline } from '../../../shared/http/pipeline.ts';
import { problem } from '../../../shared/http/problem.ts';
import { withdrawalResource } from '../../../shared/mappers/withdrawal.ts';
import { decideWithdrawal } from '../../../shared/operations/withdrawals/decide-withdrawal.ts';
import { type Decision, decideWithdrawal as decide } from '../../../shared/sales/withdrawals/decide-withdrawal.ts';

export const handle: Handle<typeof decideWithdrawal> = async ({ params, body }, deps) => {
  const { caller, table, clock, requestId, receipt } = deps;
  const decided = await decide(
    { table, orgId: caller.orgId, clock, requestId },
    params.withdrawal_id,
    decisionOf(body),
    (withdrawal) => receipt(withdrawalResource(withdrawal)),
  );
  return withdrawalResource(unwrapDecided(decided));
};

function decisionOf({ decision, keep, reason }: Input<typeof decideWithdrawal>['body']): Decision {
  if (decision === 'accept') {
    if (reason === null) return { decision, keep };
    throw problem('parameter_conflict', 'Only a refusal has a reason. Leave it out.', { param: 'reason' });
  }
  if (keep !== 0) {
    throw problem('parameter_conflict', 'A refusal returns nothing. Leave out keep.', { param: 'keep' });
  }
  if (reason !== null) return { decision, reason };
  throw problem('parameter_missing', 'The parameter reason is required to refuse: why, for the buyer.', {
    param: 'reason',
  });
}

export const handler = pipeline(decideWithdrawal, handle);
