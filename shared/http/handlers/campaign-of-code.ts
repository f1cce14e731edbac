import { readCampaign } from '../../data/codes/campaigns.ts';
import { readCode } from '../../data/codes/codes.ts';
import { codeProblem } from '../../domain/baskets/codes.ts';
import { type CodeCampaign, normalizeCode } from '../../domain/codes/campaign.ts';
import { unixSeconds } from '../../platform/clock.ts';
import type { Deps } from '../pipeline.ts';
import { type Problem, problem } from '../problem.ts';
import type { Caller } from '../request-context.ts';
import { guessLimit } from './guess-limit.ts';

export const codeUnknown = (): Problem =>
  problem('code_unknown', 'There is no such code. Check how it is written.', { param: 'code' });
export const codeExpired = (): Problem =>
  problem('code_expired', 'This code is not valid any more.', { param: 'code' });

type Request = Pick<Deps, 'table' | 'clock'> & { readonly caller: Caller };

/** The campaign of a valid code. A wrong one is a problem, and counts for the client's address. */
export async function campaignOfCode({ table, clock, caller }: Request, text: string): Promise<CodeCampaign> {
  const { orgId } = caller;
  const guesses = guessLimit(table, caller, clock.nowMs());
  const [code] = await Promise.all([readCode(table, orgId, normalizeCode(text)), guesses.check()]);
  const campaign = code && (await readCampaign(table, orgId, code.campaignId));
  const wrong = code && campaign ? codeProblem({ code, campaign }, unixSeconds(clock)) : 'code_unknown';
  if (campaign !== undefined && wrong === undefined) return campaign;
  if (wrong === 'code_expired') throw codeExpired();
  await guesses.count();
  throw codeUnknown();
}
