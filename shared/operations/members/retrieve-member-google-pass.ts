import { defineOperation } from '../operation.ts';
import { GooglePass } from '../schemas/google-pass.ts';
import { memberCardAccess } from './member-card-access.ts';
import { memberParams, ownerOnPage } from './payment-plan-path.ts';

export const retrieveMemberGooglePass = defineOperation({
  id: 'retrieve-member-google-pass',
  resource: 'members',
  summary: "Add a member's card to Google Wallet",
  description: `Returns the address at which the member adds the card to Google Wallet. A membership that is unpaid, cancelled or over, or has no barcode, has no card: 409
\`card_not_valid\`. A service without an account of Google answers 409 \`wallet_not_configured\`.`,
  method: 'GET',
  paths: ['/v1/members/{membership_member_id}/google_pass'],
  auth: { kind: 'metered', scope: 'read', ...ownerOnPage },
  input: { params: memberParams },
  output: { schema: GooglePass, problems: ['card_not_valid', 'wallet_not_configured'] },
  effects: { access: memberCardAccess, wallets: ['google'] },
});
