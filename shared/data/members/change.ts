import { notRenewing } from '../../domain/members/cancellation.ts';
import { cardsAfter } from '../../domain/members/card.ts';
import { freedSeat } from '../../domain/members/own-seat.ts';
import { wordsAfter } from '../../domain/members/search.ts';
import type { RenewalRecord } from '../../domain/renewals/renewal.ts';
import { leftByOwner } from '../../domain/renewals/renewal.ts';
import { readRenewal, renewalPut } from '../renewals/renewals.ts';
import { diffItems } from '../table/diff-items.ts';
import type { ItemKey } from '../table/keys.ts';
import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { noSideEffects, type SideEffects, type TransactItem, transact } from '../table/transact.ts';
import { ownSeatItems } from './own-seats.ts';
import { memberPositionPut } from './positions.ts';
import { readMember } from './read.ts';
import { barcodeItem, customerPointer, type MemberRecord, memberItem, numberItem } from './row.ts';
import { memberWordPuts } from './words.ts';

/** A member as it was read, undefined if it did not exist, and as it is to be written. */
export interface MemberChange {
  readonly before: MemberRecord | undefined;
  readonly after: MemberRecord;
  /** Additional conditions of the write. If one fails, the result is `raced`. */
  readonly checks?: readonly TransactItem[];
}

/** `raced`: another writer changed the row after it was read; read it again. The others: that unique value is taken. */
export type CommitResult = 'written' | 'raced' | 'number_taken' | 'barcode_taken' | 'seat_taken';

/**
 * Writes the row and its unique values in one transaction, on the condition that the row has not changed since it was read. With
 * another customer, it ends the auto-renewal in the same transaction.
 */
export async function commitMember(
  table: Table,
  orgId: string,
  change: MemberChange,
  sideEffects: SideEffects<MemberChange>,
): Promise<CommitResult> {
  const { changes, items } = await withFormerRenewal(table, orgId, change);
  const refusals = await transact(
    table,
    [...memberWrites(table, orgId, changes), ...items],
    changes.flatMap((one) => sideEffects(one)),
  );
  if (refusals.length === 0) return 'written';
  const isRefused = (label: string | undefined) => refusals.some((refusal) => refusal.label === label);
  if (isRefused(undefined)) return 'raced';
  if (isRefused('number')) return 'number_taken';
  return isRefused('barcode') ? 'barcode_taken' : 'seat_taken';
}

interface RenewalLeft {
  readonly changes: readonly MemberChange[];
  readonly items: readonly TransactItem[];
}

/** A member that gets another customer ends the record that it shares with all who were bought together. */
async function withFormerRenewal(table: Table, orgId: string, change: MemberChange): Promise<RenewalLeft> {
  const { before, after } = change;
  if (before === undefined || before.userId === after.userId || before.renewalId === null) {
    return { changes: [change], items: [] };
  }
  const renewal = await readRenewal(table, orgId, before.renewalId);
  if (renewal === undefined) return { changes: [change], items: [] };
  const left = await leaveRenewal(table, orgId, renewal, after.updatedUnix ?? before.createdUnix);
  const others = left.changes.filter((one) => one.after.memberId !== after.memberId);
  return { changes: [change, ...others], items: left.items };
}

/** The writes by which a record loses its saved card, its consent and its members, who do not renew themselves any more. */
export async function leaveRenewal(
  table: Table,
  orgId: string,
  renewal: RenewalRecord,
  nowUnix: number,
): Promise<RenewalLeft> {
  const members = await Promise.all(renewal.memberIds.map((memberId) => readMember(table, orgId, memberId)));
  const joined = members.filter((member) => member?.renewalId === renewal.renewalId);
  const changes = joined.flatMap((before) =>
    before === undefined ? [] : [{ before, after: withFields(before, withoutRenewal(before), nowUnix) }],
  );
  const { Put } = renewalPut(table, orgId, renewal, leftByOwner(renewal)).item;
  return { changes, items: [{ Put }] };
}

const withoutRenewal = (member: MemberRecord) => ({ ...notRenewing(member), renewalId: null });

/**
 * The items of the transaction that writes members. Those of unique values have a label. The members share the item of their words, and
 * those of one row of seats its item.
 */
export function memberWrites(table: Table, orgId: string, changes: readonly MemberChange[]): readonly TransactItem[] {
  return [
    ...changes.flatMap((change) => ownWrites(table, orgId, change)),
    ...memberWordPuts(table, orgId, changes),
    ...ownSeatItems(table, orgId, changes),
  ];
}

function ownWrites(table: Table, orgId: string, { before, after, checks = [] }: MemberChange): readonly TransactItem[] {
  const TableName = table.name;
  const taken = (label: string, Item: ItemKey | undefined): TransactItem[] =>
    Item === undefined ? [] : [{ label, Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' } }];
  const hasNewBarcode = before?.barcode !== after.barcode;
  const former = hasNewBarcode && before !== undefined ? barcodeItem(orgId, before) : undefined;
  return [
    rowPut(table, orgId, { before, after }),
    ...(before === undefined ? taken('number', numberItem(orgId, after)) : []),
    ...checks,
    ...memberPositionPut(table, orgId, { before, after }),
    ...pointerItems(table, orgId, { before, after }),
    ...(hasNewBarcode ? taken('barcode', barcodeItem(orgId, after)) : []),
    ...(former === undefined ? [] : [{ Delete: { TableName, Key: { pk: former.pk, sk: former.sk } } }]),
  ];
}

/** When the member gets another customer, the pointer to the member is replaced. */
function pointerItems(table: Table, orgId: string, { before, after }: MemberChange): TransactItem[] {
  const pointers = (member: MemberRecord | undefined) =>
    [member && customerPointer(orgId, member)].flatMap((one) => one ?? []);
  const { put, remove } = diffItems(pointers(after), pointers(before));
  return [
    ...put.map((Item) => ({ Put: { TableName: table.name, Item } })),
    ...remove.map((Key) => ({ Delete: { TableName: table.name, Key } })),
  ];
}

/** The put of the row alone, for a change of neither number, barcode nor search words. A refusal contains the current row. */
export function rowPut(table: Table, orgId: string, { before, after }: MemberChange): TransactItem {
  return {
    Put: {
      TableName: table.name,
      Item: memberItem(orgId, after),
      ...(before === undefined
        ? { ConditionExpression: 'attribute_not_exists(pk)' }
        : { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': before.version } }),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}

/** The fields that a rule may change. Number, barcode and the time of creation never change. */
export type MemberFields = Omit<
  MemberRecord,
  | 'memberId'
  | 'memberNumber'
  | 'barcode'
  | 'formerCards'
  | 'cardVersion'
  | 'createdUnix'
  | 'updatedUnix'
  | 'words'
  | 'version'
>;

/** Returns the member with these fields, or the same record if nothing changes. A member that is cancelled loses the seat. */
export function withFields(member: MemberRecord, fields: Partial<MemberFields>, nowUnix: number): MemberRecord {
  const known: Readonly<Record<string, unknown>> = member;
  if (Object.entries(fields).every(([name, value]) => known[name] === value)) return member;
  const lost = lostWithCustomer(member, fields);
  const changed = { ...member, ...fields, ...lost, ...cardsAfter(member, { ...member, ...fields }, nowUnix) };
  const words = wordsAfter(member, changed);
  return { ...changed, ...freedSeat(changed), words, updatedUnix: nowUnix, version: member.version + 1 };
}

/** A saved card and the agreement to auto-renewal belong to a person. They do not follow the member to another customer. */
export function lostWithCustomer(before: MemberRecord, { userId }: Pick<Partial<MemberRecord>, 'userId'>) {
  return userId === undefined || userId === before.userId ? {} : withoutRenewal(before);
}

/** The member as changed now, although no field is another: what gates know of it has changed. */
export function touched(member: MemberRecord, nowUnix: number): MemberRecord {
  return { ...member, updatedUnix: nowUnix, version: member.version + 1 };
}

export interface MemberRule {
  readonly orgId: string;
  readonly memberId: number;
  readonly nowUnix: number;
  /** Returns the changed fields of the current member, or `refused`. It is called again after a concurrent change. */
  change(current: MemberRecord): Partial<MemberFields> | 'refused';
}

export type ChangedMember =
  | { readonly outcome: 'changed' | 'unchanged' | 'refused'; readonly member: MemberRecord }
  | { readonly outcome: 'missing' };

/** Changes one member by a rule. If nothing changes, nothing is written and no event is sent. */
export async function changeMember(
  table: Table,
  { orgId, memberId, nowUnix, change }: MemberRule,
  sideEffects: SideEffects<MemberChange> = noSideEffects,
): Promise<ChangedMember> {
  return retryRaces('member', async (): Promise<ChangedMember | undefined> => {
    const before = await readMember(table, orgId, memberId);
    if (before === undefined) return { outcome: 'missing' };
    const fields = change(before);
    if (fields === 'refused') return { outcome: 'refused', member: before };
    const after = withFields(before, fields, nowUnix);
    if (after === before) return { outcome: 'unchanged', member: before };
    const result = await commitMember(table, orgId, { before, after }, sideEffects);
    return result === 'written' ? { outcome: 'changed', member: after } : undefined;
  });
}
