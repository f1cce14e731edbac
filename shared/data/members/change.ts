import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { diffItems } from '../table/diff-items.ts';
import { Contended } from '../table/failures.ts';
import type { ItemKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { noSideEffects, type SideEffects, type TransactItem, transact } from '../table/transact.ts';
import { readMember } from './read.ts';
import { barcodeClaim, emailPointer, type MemberRecord, memberItem, numberClaim } from './row.ts';

/** A member as it was read, undefined if it was not there, and as it shall be. */
export interface MemberChange {
  readonly before: MemberRecord | undefined;
  readonly after: MemberRecord;
  /** What else must still be so when it is written; when it is not, that is a lost race like any other. */
  readonly checks?: readonly TransactItem[];
}

/** `raced`: somebody else was there between reading and writing, so read again. The others: only that value is in the way. */
export type Verdict = 'written' | 'raced' | 'number_taken' | 'barcode_taken';

/** An item of the transaction, and what it means when its condition does not hold. */
interface Step {
  readonly item: TransactItem;
  readonly refused: Exclude<Verdict, 'written'>;
}

/** Row and claims are written in one transaction, on the condition that the row is still as it was read. */
export async function commitMember(
  table: Table,
  orgId: string,
  change: MemberChange,
  sideEffects: SideEffects<MemberChange>,
): Promise<Verdict> {
  const steps = memberSteps(table, orgId, change);
  const refusals = await transact(
    table,
    steps.map(({ item }) => item),
    sideEffects(change),
  );
  const meanings = refusals.map(({ index }) => steps[index]?.refused ?? 'raced');
  if (meanings.length === 0) return 'written';
  const inOrder: readonly Verdict[] = ['raced', 'number_taken', 'barcode_taken'];
  return inOrder.find((meaning) => meanings.some((other) => other === meaning)) ?? 'raced';
}

function memberSteps(table: Table, orgId: string, { before, after, checks = [] }: MemberChange): Step[] {
  const row: Step = { item: rowPut(table, orgId, { before, after }), refused: 'raced' };
  const claim = (item: ItemKey | undefined, refused: Step['refused']): Step[] =>
    item === undefined
      ? []
      : [
          {
            item: { Put: { TableName: table.name, Item: item, ConditionExpression: 'attribute_not_exists(pk)' } },
            refused,
          },
        ];
  const release = (key: ItemKey | undefined): Step[] =>
    key === undefined
      ? []
      : [{ item: { Delete: { TableName: table.name, Key: { pk: key.pk, sk: key.sk } } }, refused: 'raced' }];
  const number = before === undefined ? claim(numberClaim(orgId, after), 'number_taken') : [];
  const others = [...checks, ...pointerItems(table, orgId, { before, after })].map(
    (item): Step => ({ item, refused: 'raced' }),
  );
  if (before?.barcode === after.barcode) return [row, ...number, ...others];
  return [
    row,
    ...number,
    ...others,
    ...claim(barcodeClaim(orgId, after), 'barcode_taken'),
    ...release(before && barcodeClaim(orgId, before)),
  ];
}

/** An address that changes leads to the member no more, and the new one does. */
function pointerItems(table: Table, orgId: string, { before, after }: MemberChange): TransactItem[] {
  const pointers = (member: MemberRecord | undefined) =>
    [member && emailPointer(orgId, member)].flatMap((one) => one ?? []);
  const { put, remove } = diffItems(pointers(after), pointers(before));
  return [
    ...put.map((Item) => ({ Put: { TableName: table.name, Item } })),
    ...remove.map((Key) => ({ Delete: { TableName: table.name, Key } })),
  ];
}

/** The row alone, for a change that touches neither number nor barcode. When it is refused, the row as it stands comes with it. */
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

/** What a rule may change. Number, barcode and the time of creation stay with a member for good. */
export type MemberFields = Omit<
  MemberRecord,
  'memberId' | 'memberNumber' | 'barcode' | 'createdUnix' | 'updatedUnix' | 'version'
>;

/** The member with these fields, or the record itself when it says all of that already. */
export function withFields(member: MemberRecord, fields: Partial<MemberFields>, nowUnix: number): MemberRecord {
  const known: Readonly<Record<string, unknown>> = member;
  if (Object.entries(fields).every(([name, value]) => known[name] === value)) return member;
  return { ...member, ...fields, updatedUnix: nowUnix, version: member.version + 1 };
}

export interface MemberRule {
  readonly orgId: string;
  readonly memberId: number;
  readonly nowUnix: number;
  /** What changes, from the member as it is when it is written; `refused` when it may not. Asked again after a lost race. */
  change(current: MemberRecord): Partial<MemberFields> | 'refused';
}

export type ChangedMember =
  | { readonly outcome: 'changed' | 'unchanged' | 'refused'; readonly member: MemberRecord }
  | { readonly outcome: 'missing' };

const maxAttempts = 20;

/** Changes one member by a rule. A rule that changes nothing writes nothing, and so announces nothing. */
export async function changeMember(
  table: Table,
  { orgId, memberId, nowUnix, change }: MemberRule,
  sideEffects: SideEffects<MemberChange> = noSideEffects,
): Promise<ChangedMember> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const before = await readMember(table, orgId, memberId);
    if (before === undefined) return { outcome: 'missing' };
    const fields = change(before);
    if (fields === 'refused') return { outcome: 'refused', member: before };
    const after = withFields(before, fields, nowUnix);
    if (after === before) return { outcome: 'unchanged', member: before };
    if ((await commitMember(table, orgId, { before, after }, sideEffects)) === 'written') {
      return { outcome: 'changed', member: after };
    }
    await pauseAfterRace(attempt);
  }
  throw contended();
}

/** A random pause, longer each time, so that those who met do not meet again. */
export async function pauseAfterRace(attempt: number): Promise<void> {
  await sleep(randomInt(1, 10 * attempt + 1));
}

export function contended(): Contended {
  return new Contended('The member is being changed by many at once. Nothing was changed; try again.');
}
