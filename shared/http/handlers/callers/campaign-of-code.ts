import { readCampaign } from '../../../data/codes/campaigns.ts';
import { readCode } from '../../../data/codes/codes.ts';
import { codeProblem } from '../../../domain/baskets/codes.ts';
import { type CodeCampaign, normalizeCode } from '../../../domain/codes/campaign.ts';
import { unixSeconds } from '../../../platform/clock.ts';
import type { Deps } from '../../pipeline.ts';
import type { Caller } from '../../request-context.ts';
import { codeExpired, codeUnknown } from '../problems/code-problem.ts';
import { countGuess } from './guess-limit.ts';

type Request = Pick<Deps, 'table' | 'clock'> & { readonly caller: Caller };

/** The campaign of a valid code. A wrong one is a problem, and counts for the client's address. */
export async function campaignOfCode({ table, clock, caller }: Request, text: string): Promise<CodeCampaign> {
  const { orgId } = caller;
  const [guess, code] = await Promise.all([
    countGuess(table, caller, { nowMs: clock.nowMs() }),
    readCode(table, orgId, normalizeCode(text)),
  ]);
  const campaign = code && (await readCampaign(table, orgId, code.campaignId));
  const wrong = code && campaign ? codeProblem({ code, campaign }, unixSeconds(clock)) : 'code_unknown';
  if (campaign === undefined || wrong === 'code_unknown') throw codeUnknown();
  await guess.forgive();
  if (wrong === 'code_expired') throw codeExpired();
  return campaign;
}
