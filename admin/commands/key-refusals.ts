import type { KeyMissing, LimitReached, OrganisationMissing } from '../../shared/data/admin/api-keys/change.ts';
import type { NotRotatable } from '../../shared/data/admin/api-keys/rotate.ts';
import { liveKeyLimit } from '../../shared/domain/auth/api-keys.ts';
import { refusal } from '../failure.ts';

export type KeyRefusal = OrganisationMissing | KeyMissing | LimitReached | NotRotatable;

/** Says why, and what to do instead. */
export function keyRefusal(reason: KeyRefusal, orgId: string, keyId = ''): Error {
  switch (reason.outcome) {
    case 'organisation_missing':
      return refusal(reason.outcome, `There is no organisation ${orgId}.`);
    case 'key_missing':
      return refusal(reason.outcome, `${orgId} has no key ${keyId}. To see its keys: key list ${orgId}`);
    case 'limit_reached':
      return refusal(
        reason.outcome,
        `${orgId} has ${liveKeyLimit} keys that are neither revoked nor expired, and may have no more. Revoke one first, or rotate one with --overlap 0.`,
      );
    case 'not_live':
      return refusal(reason.outcome, `Key ${keyId} of ${orgId} is ${reason.state}. Issue a new key instead.`);
    case 'already_rotated':
      return refusal(
        reason.outcome,
        `Key ${keyId} of ${orgId} was replaced by key ${reason.rotatedTo}. If that key's text was lost, revoke it and rotate again; otherwise rotate key ${reason.rotatedTo}.`,
      );
  }
}
