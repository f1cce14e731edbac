import { defineOperation } from '../operation.ts';
import { File } from '../schemas/file.ts';
import { memberCardAccess } from './member-card-access.ts';
import { memberParams, ownerOnPage } from './payment-plan-path.ts';

export const retrieveMemberApplePass = defineOperation({
  id: 'retrieve-member-apple-pass',
  resource: 'members',
  summary: "Add a member's card to Apple Wallet",
  description: `Returns the card of a member as a pass, signed with the certificate of the platform: name, membership, number, seat and the barcode that gates read. A change
of the member reaches the card: phones are told, and fetch it. Another title of the membership type reaches it with the next change of the member. A membership that is unpaid, cancelled or over, or has no barcode, has no card: 409 \`card_not_valid\`. A service without a certificate answers 409 \`wallet_not_configured\`.`,
  method: 'GET',
  paths: ['/v1/members/{membership_member_id}/apple_pass'],
  auth: { kind: 'metered', scope: 'read', ...ownerOnPage },
  input: { params: memberParams },
  output: {
    schema: File,
    mediaType: 'application/vnd.apple.pkpass',
    streamed: true,
    problems: ['card_not_valid', 'wallet_not_configured'],
  },
  effects: { access: memberCardAccess, secrets: ['links'], wallets: ['apple'], namesAddress: true },
  runtime: { concurrency: 10 },
});
