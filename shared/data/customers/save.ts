import { randomInt } from 'node:crypto';
import {
  type CustomerFields,
  type CustomerRecord,
  emailIdentity,
  emptyCustomer,
  invalidField,
} from '../../domain/customers/customer.ts';
import { idOf, idsPerSecond } from '../../domain/ids.ts';
import { mergeMetadata, type WithMetadataChange } from '../../domain/metadata.ts';
import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';
import { TriedWrites } from '../table/tried-writes.ts';
import { findCustomer } from './read.ts';
import { type CustomerChange, type WriteResult, writeCustomer } from './write.ts';

type Promisable<Value> = Value | Promise<Value>;

type GivenFields = { readonly [Field in keyof CustomerFields]?: CustomerFields[Field] | undefined };

/** The fields to save. An undefined field keeps its value, or is empty for a new customer. */
export interface CustomerDraft extends GivenFields, WithMetadataChange {
  /** Identifies the customer to change or to create. Without it a new customer gets a generated id. */
  readonly orgCustomerId?: string | undefined;
  /** When a new customer was added, if that was not now. */
  readonly addedUnix?: number | undefined;
  /** When the customer last changed, if an import provides it; now by default. */
  readonly updatedUnix?: number | null | undefined;
  /** The low bits of the id that a new customer tries first; random by default. Tests and generated data set them. */
  readonly firstLowBits?: number | undefined;
  /**
   * A new customer is only created if no other customer was created for its email address in this way. An address that a
   * customer of an import has does not count: the caller looks it up before.
   */
  readonly ownsAddress?: boolean | undefined;
  /** Whether nothing proves that a new customer owns the address. */
  readonly isAddressUnproven?: boolean | undefined;
  /** Further items of the transaction that creates or changes the customer, such as conditions on other items. */
  readonly callerItems?:
    | ((customer: CustomerRecord, before: CustomerRecord | undefined) => Promisable<readonly TransactItem[]>)
    | undefined;
  /** Shared by the attempts of a caller that repeats the save after a failure. */
  readonly tried?: TriedWrites | undefined;
}

export type SavedCustomer =
  | { readonly outcome: 'created' | 'updated' | 'unchanged'; readonly customer: CustomerRecord }
  | { readonly outcome: 'address_taken' | 'caller_refused' }
  | ({ readonly outcome: 'invalid' } & NonNullable<ReturnType<typeof invalidField>>);

const consistent = { consistent: true } as const;
/** In each round at least one of the concurrent writers succeeds, so this many can change one customer at the same time. */
/**
 * Creates a customer, or changes the one with this org_customer_id. A repeated save is harmless: the same values write
 * nothing and keep the time of the last update. Concurrent saves have the same result as saves one after the other.
 */
export async function saveCustomer(
  table: Table,
  orgId: string,
  draft: CustomerDraft,
  nowUnix: number,
): Promise<SavedCustomer> {
  const { tried = new TriedWrites() } = draft;
  return retryRaces('customer', async (attempt): Promise<SavedCustomer | undefined> => {
    const before = await readExisting(table, orgId, draft);
    const after = before === undefined ? newCustomer(draft, nowUnix, attempt) : changedCustomer(before, draft, nowUnix);
    if (after === before) {
      return { outcome: tried.kindOf(after.userId, after.version) ?? 'unchanged', customer: after };
    }
    const invalid = invalidField(after);
    if (invalid !== undefined) return { outcome: 'invalid', ...invalid };
    tried.add(after.userId, after.version, before === undefined ? 'created' : 'updated');
    const change = { before, after, callerItems: await draft.callerItems?.(after, before) };
    return savedCustomer(change, await writeCustomer(table, orgId, change), draft);
  });
}

async function readExisting(table: Table, orgId: string, { orgCustomerId }: CustomerDraft) {
  return orgCustomerId === undefined ? undefined : findCustomer(table, orgId, orgCustomerId, consistent);
}

/** Undefined if the save can be repeated: another process changed the customer, or the new id is taken. */
function savedCustomer(
  { before, after }: CustomerChange,
  result: WriteResult,
  { ownsAddress = false }: CustomerDraft,
): SavedCustomer | undefined {
  if (result === 'written') return { outcome: before === undefined ? 'created' : 'updated', customer: after };
  if (result === 'caller_refused') return { outcome: result };
  return result === 'taken' && ownsAddress ? { outcome: 'address_taken' } : undefined;
}

export function newCustomer(draft: CustomerDraft, nowUnix: number, attempt = 1): CustomerRecord {
  // The low bits start at 1: zero is not a valid id, and the first second of 1970 would otherwise produce it.
  const drawn = randomInt(1, idsPerSecond);
  const userId = idOf(draft.addedUnix ?? nowUnix, attempt === 1 ? (draft.firstLowBits ?? drawn) : drawn);
  const { orgCustomerId = String(userId), updatedUnix = null, ownsAddress = false, isAddressUnproven = false } = draft;
  const fields = withFields(emptyCustomer, draft);
  const metadata = mergeMetadata(undefined, draft.metadata);
  return { ...fields, metadata, userId, orgCustomerId, updatedUnix, ownsAddress, isAddressUnproven, version: 1 };
}

/** Returns the same record if nothing changes. The time at which a customer was added never changes. */
export function changedCustomer(before: CustomerRecord, draft: CustomerDraft, nowUnix: number): CustomerRecord {
  const fields = withFields(before, draft);
  const metadata = mergeMetadata(before.metadata, draft.metadata);
  const isSame = fieldNames.every((name) => fields[name] === before[name]) && metadata === before.metadata;
  if (isSame) return before;
  // The address stays with its owner only as long as it is unchanged: the customer may move to an address that another customer has.
  const hasSameAddress = hasSameEmail(before, fields);
  const ownsAddress = before.ownsAddress && hasSameAddress;
  const isAddressUnproven = before.isAddressUnproven && hasSameAddress;
  const updatedUnix = draft.updatedUnix ?? nowUnix;
  return { ...before, ...fields, metadata, updatedUnix, ownsAddress, isAddressUnproven, version: before.version + 1 };
}

function hasSameEmail(one: CustomerFields, other: CustomerFields): boolean {
  return emailIdentity(one.emailAddress ?? '') === emailIdentity(other.emailAddress ?? '');
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
