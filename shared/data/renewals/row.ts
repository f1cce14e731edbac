import * as v from 'valibot';
import { type RenewalRecord, renewalStatuses } from '../../domain/renewals/renewal.ts';
import { renewalKey } from '../table/keys.ts';
import { nullable, row, storedEnum, withoutNulls } from '../table/row.ts';

const place = { provider: v.string(), account: nullable(v.string()), customer: v.string() };

/** A status that only a later release knows is read as one that nothing is charged for. */
const StoredRound = row({
  expiresUnix: v.number(),
  status: storedEnum(renewalStatuses, 'action_required'),
  dueUnix: v.number(),
  quote: nullable(row({ typeId: v.number(), amountMinor: v.number(), priceMinor: v.number(), currency: v.string() })),
  announcedUnix: v.array(v.number()),
  attempts: v.number(),
  failure: nullable(v.string()),
  retryUnix: nullable(v.number()),
});

const StoredRenewal = row(
  {
    renewalId: v.number(),
    memberIds: v.array(v.number()),
    userId: v.number(),
    saved: nullable(row({ ...place, paymentMethod: v.string(), savedUnix: v.number() })),
    setup: nullable(row({ ...place, setupId: v.string(), paymentMethod: nullable(v.string()) })),
    setups: v.number(),
    isOn: v.boolean(),
    optionId: nullable(v.string()),
    consent: nullable(row({ text: v.string(), givenUnix: v.number(), requestId: nullable(v.string()) })),
    round: nullable(StoredRound),
    attempt: nullable(row({ basketId: v.number(), startedUnix: v.number(), leaseUntilUnix: v.number() })),
    version: v.number(),
  },
  // The id of the last single write (putAlone).
  ['writeId'],
);

export function parseRenewal(item: unknown): RenewalRecord {
  return v.parse(StoredRenewal, item);
}

export function renewalItem(orgId: string, renewal: RenewalRecord): Record<string, unknown> {
  return { ...withoutNulls(renewal), ...renewalKey(orgId, renewal.renewalId) };
}
