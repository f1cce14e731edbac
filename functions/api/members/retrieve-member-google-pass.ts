import { googleAccount } from '../../../shared/documents/google-account.ts';
import { googleMember, googleSaveUrl } from '../../../shared/documents/google-pass.ts';
import { memberFacts } from '../../../shared/documents/member-facts.ts';
import { cardNotValid, requireCard } from '../../../shared/http/handlers/from-path/member-card.ts';
import { walletNotConfigured } from '../../../shared/http/handlers/problems/wallet-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { retrieveMemberGooglePass } from '../../../shared/operations/members/retrieve-member-google-pass.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof retrieveMemberGooglePass> = async ({ params }, deps) => {
  const [{ member, organisation }, account] = await Promise.all([requireCard(deps, params), googleAccount()]);
  const nowUnix = unixSeconds(deps.clock);
  const facts = memberFacts(member, organisation, nowUnix);
  if (facts.barcode === null) throw cardNotValid();
  if (account === undefined) throw walletNotConfigured('Google');
  return { save_url: googleSaveUrl(account, googleMember(account, facts), nowUnix) };
};

export const handler = pipeline(retrieveMemberGooglePass, handle);
