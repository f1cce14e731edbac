import { linkKeyVersionOf } from '../../../shared/data/organisations/organisation.ts';
import { appleAccount } from '../../../shared/documents/apple-account.ts';
import { appleMember } from '../../../shared/documents/apple-pass.ts';
import { memberSerial, passUpdates } from '../../../shared/documents/apple-serial.ts';
import { memberFacts } from '../../../shared/documents/member-facts.ts';
import { FileOutput } from '../../../shared/http/file-output.ts';
import { cardNotValid, requireCard } from '../../../shared/http/handlers/from-path/member-card.ts';
import { walletNotConfigured } from '../../../shared/http/handlers/problems/wallet-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { retrieveMemberApplePass } from '../../../shared/operations/members/retrieve-member-apple-pass.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof retrieveMemberApplePass> = async ({ params }, deps) => {
  const [{ member, organisation }, account] = await Promise.all([requireCard(deps, params), appleAccount()]);
  const facts = memberFacts(member, organisation, unixSeconds(deps.clock));
  if (facts.barcode === null) throw cardNotValid();
  if (account === undefined) throw walletNotConfigured('Apple');
  const updates = await passUpdates(memberSerial(facts), linkKeyVersionOf(organisation));
  const pass = appleMember(account, facts, updates);
  return new FileOutput(pass, `member-${facts.memberId}.pkpass`);
};

export const handler = pipeline(retrieveMemberApplePass, handle);
