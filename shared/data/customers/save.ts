import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CustomerFields, type CustomerRecord, invalidField } from '../../domain/customers/customer.ts';
import { idOf, idsPerSecond } from '../../domain/ids.ts';
import { Contended } from '../table/failures.ts';
import type { Table } from '../table/table.ts';
import { emailClaim } from './items.ts';
import { claimHolder, findCustomer } from './read.ts';
import { type CustomerChange, writeCustomer } from './write.ts';

type GivenFields = { readonly [Field in keyof CustomerFields]?: CustomerFields[Field] | undefined };

/** What somebody knows of a customer. What is undefined stays as it is, or begins empty. */
export interface CustomerDraft extends GivenFields {
  /** Names the customer to change or to create; without it a new customer gets an id of ours. */
  readonly orgCustomerId?: string | undefined;
  /** When a new customer was added, if that was not now. */
  readonly addedUnix?: number | undefined;
  /** When the customer last changed, if an import knows better than now. */
  readonly updatedUnix?: number | null | undefined;
  /** Which id of its second a new customer tries first: tests and generated data choose, everybody else draws. */
  readonly firstLowBits?: number | undefined;
}

export type SavedCustomer =
  | { readonly outcome: 'created' | 'updated' | 'unchanged'; readonly customer: CustomerRecord }
  | { readonly outcome: 'email_taken'; readonly userId: number }
  | ({ readonly outcome: 'invalid' } & NonNullable<ReturnType<typeof invalidField>>);

const consistent = { consistent: true } as const;
/** Each round lets at least one of the racers through, so this many may change one customer at once. */
const maxAttempts = 30;
const longestPauseMs = 200;

/**
 * Creates a customer, or changes the one with this org_customer_id. To repeat a save is harmless: the same values write
 * nothing and keep the time of the last update. Saves at the same time end as if one had come after the other.
 */
export async function saveCustomer(
  table: Table,
  orgId: string,
  draft: CustomerDraft,
  nowUnix: number,
): Promise<SavedCustomer> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const before = await customerOf(table, orgId, draft);
    const after = before === undefined ? created(draft, nowUnix, attempt) : updated(before, draft, nowUnix);
    if (after === before) return { outcome: 'unchanged', customer: after };
    const invalid = invalidField(after);
    if (invalid !== undefined) return { outcome: 'invalid', ...invalid };
    const saved = await write(table, orgId, { before, after });
    if (saved !== undefined) return saved;
    await sleep(randomInt(1, Math.min(longestPauseMs, 10 * attempt) + 1));
  }
  throw new Contended('The customer is being changed by many at once. Nothing was changed; try again.');
}

async function customerOf(table: Table, orgId: string, { orgCustomerId }: CustomerDraft) {
  return orgCustomerId === undefined ? undefined : findCustomer(table, orgId, orgCustomerId, consistent);
}

/** What became of one attempt; undefined when it has to be made again. */
async function write(table: Table, orgId: string, change: CustomerChange): Promise<SavedCustomer | undefined> {
  const { before, after } = change;
  const verdict = await writeCustomer(table, orgId, change);
  if (verdict === 'written') return { outcome: before === undefined ? 'created' : 'updated', customer: after };
  if (verdict === 'raced' || after.emailAddress === null) return undefined;
  // A new customer's id and its address may both have been in the way. Whoever holds the id is the one to change, so the
  // address counts only when it belongs to somebody else.
  const [emailHolder, idHolder] = await Promise.all([
    claimHolder(table, emailClaim(orgId, after.emailAddress), consistent),
    findCustomer(table, orgId, after.orgCustomerId, consistent),
  ]);
  const isFree = emailHolder === undefined || emailHolder === after.userId;
  if (isFree || (before === undefined && idHolder !== undefined)) return undefined;
  return { outcome: 'email_taken', userId: emailHolder };
}

const nobody: CustomerFields = {
  firstName: null,
  lastName: null,
  emailAddress: null,
  mobileNumber: null,
  postcode: null,
  marketingEmails: false,
  newEventNotifications: false,
};

function created(draft: CustomerDraft, nowUnix: number, attempt: number): CustomerRecord {
  // Zero is no id, and the first second of 1970 would otherwise have it.
  const drawn = randomInt(1, idsPerSecond);
  const userId = idOf(draft.addedUnix ?? nowUnix, attempt === 1 ? (draft.firstLowBits ?? drawn) : drawn);
  const { orgCustomerId = String(userId), updatedUnix = null } = draft;
  return { ...withFields(nobody, draft), userId, orgCustomerId, updatedUnix, version: 1 };
}

/** The record itself when nothing changes. When a customer was added never changes. */
function updated(before: CustomerRecord, draft: CustomerDraft, nowUnix: number): CustomerRecord {
  const fields = withFields(before, draft);
  const isSame = fieldNames.every((name) => fields[name] === before[name]);
  if (isSame) return before;
  return { ...before, ...fields, updatedUnix: draft.updatedUnix ?? nowUnix, version: before.version + 1 };
}

function withFields(known: CustomerFields, draft: CustomerDraft): CustomerFields {
  return {
    firstName: draft.firstName === undefined ? known.firstName : draft.firstName,
    lastName: draft.lastName === undefined ? known.lastName : draft.lastName,
    emailAddress: draft.emailAddress === undefined ? known.emailAddress : draft.emailAddress,
    mobileNumber: draft.mobileNumber === undefined ? known.mobileNumber : draft.mobileNumber,
    postcode: draft.postcode === undefined ? known.postcode : draft.postcode,
    marketingEmails: draft.marketingEmails ?? known.marketingEmails,
    newEventNotifications: draft.newEventNotifications ?? known.newEventNotifications,
  };
}

const fieldNames = [
  'firstName',
  'lastName',
  'emailAddress',
  'mobileNumber',
  'postcode',
  'marketingEmails',
  'newEventNotifications',
] as const satisfies readonly (keyof CustomerFields)[];
