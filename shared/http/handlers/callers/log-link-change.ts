import type { SsoUser } from '../../../domain/sso/provider.ts';
import { log } from '../../../platform/log.ts';
import type { Caller } from '../../request-context.ts';

/** Logs who gave or took a fan the access to a customer. */
export function logLinkChange(
  change: 'linked' | 'unlinked',
  { orgId, keyId }: Caller,
  { providerId, issuer, subject }: SsoUser,
  userId: number,
): void {
  const about = { org_id: orgId, key_id: keyId, provider: providerId, issuer, subject, user_id: userId };
  log.info(`SSO user ${change}`, about);
}
