import { handle as retrieveApple } from '../../functions/api/members/retrieve-member-apple-pass.ts';
import { handle as retrieveGoogle } from '../../functions/api/members/retrieve-member-google-pass.ts';
import type { MemberRecord } from '../../shared/data/members/row.ts';
import { FileOutput } from '../../shared/http/file-output.ts';
import { retrieveMemberApplePass } from '../../shared/operations/members/retrieve-member-apple-pass.ts';
import { retrieveMemberGooglePass } from '../../shared/operations/members/retrieve-member-google-pass.ts';
import { callHandler, type HandlerCall } from './call-handler.ts';

type PassOf = (member: MemberRecord, call: HandlerCall) => Promise<string>;

const paramsOf = ({ memberId }: MemberRecord) => ({ params: { membership_member_id: String(memberId) } });

/** Retrieves the card of a member, as text that contains what it says. */
export const memberPasses: Readonly<Record<'apple' | 'google', PassOf>> = {
  apple: async (member, call) => {
    const { file } = await callHandler(retrieveMemberApplePass, retrieveApple, paramsOf(member), call);
    if (!(file instanceof FileOutput)) throw new Error('The response is not a file.');
    return Buffer.from(file.bytes).toString('latin1');
  },
  google: async (member, call) => {
    const { save_url } = await callHandler(retrieveMemberGooglePass, retrieveGoogle, paramsOf(member), call);
    return Buffer.from(String(save_url).split('.').at(-2) ?? '', 'base64url').toString('utf8');
  },
};
