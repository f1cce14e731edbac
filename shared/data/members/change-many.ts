import { idText } from '../../domain/ids.ts';
import { batchGet } from '../table/batch-get.ts';
import { memberKey } from '../table/keys.ts';
import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { type Refusal, type SideEffects, transact } from '../table/transact.ts';
import { type MemberChange, type MemberFields, rowPut, withFields } from './change.ts';
import { memberPositionPut } from './positions.ts';
import { type MemberRecord, parseMember } from './row.ts';

export interface ManyMembers {
  readonly orgId: string;
  /** Without duplicates. */
  readonly memberIds: readonly number[];
  readonly nowUnix: number;
  /** Returns the changed fields of the current member. It is called again if the member was changed concurrently. */
  change(current: MemberRecord): Partial<MemberFields>;
}

/**
 * Changes many members by one rule, and returns the ids of those that exist. All members are read at once. The changed ones
 * are written in several transactions, some of them at the same time, so 500 members need four round trips. This is not
 * atomic: after a crash some members are changed and others are not. A repeat completes it, because unchanged members are
 * not written.
 */
export async function changeMembers(
  table: Table,
  { orgId, memberIds, nowUnix, change }: ManyMembers,
  sideEffects: SideEffects<MemberChange>,
): Promise<ReadonlySet<number>> {
  const rule: Rule = (before) => {
    const after = withFields(before, change(before), nowUnix);
    return after === before ? [] : [{ before, after }];
  };
  const members = await readMembers(table, orgId, memberIds);
  const chunks = chunksOf(members.flatMap(rule), membersPerTransaction);
  for (const some of chunksOf(chunks, transactionsAtOnce)) {
    // Every transaction has ended when this function returns or throws: no write continues in the background.
    const settled = await Promise.allSettled(
      some.map((chunk) => writeChunk(table, orgId, { chunk, rule, sideEffects })),
    );
    const failure = settled.find((end) => end.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
  }
  return new Set(members.map(({ memberId }) => memberId));
}

/** Returns the change of a member as a list of one, or an empty list. */
type Rule = (before: MemberRecord) => readonly MemberChange[];

/** A transaction has at most 100 items: the row and the positions of each member, and two side effects. */
const membersPerTransaction = 25;
/** The members of an organisation share one partition with a thousand write units a second: more transactions would only wait. */
const transactionsAtOnce = 7;

interface Chunk {
  readonly chunk: readonly MemberChange[];
  readonly rule: Rule;
  readonly sideEffects: SideEffects<MemberChange>;
}

/** If a member was changed concurrently, the rule is applied again to the row that the refusal contains; the others wait. */
async function writeChunk(table: Table, orgId: string, { chunk, rule, sideEffects }: Chunk): Promise<void> {
  let left = chunk;
  await retryRaces('member', async () => {
    if (left.length === 0) return 'written';
    const items = left.flatMap((change) => [
      { ...rowPut(table, orgId, change), label: idText(change.after.memberId) },
      ...memberPositionPut(table, orgId, change),
    ]);
    const refusals = await transact(table, items, left.flatMap(sideEffects));
    if (refusals.length === 0) return 'written';
    left = left.flatMap((change) => {
      const label = idText(change.after.memberId);
      return reapplyRule(
        change,
        refusals.find((refusal) => refusal.label === label),
        rule,
      );
    });
    return undefined;
  });
}

function reapplyRule(change: MemberChange, refusal: Refusal | undefined, rule: Rule): readonly MemberChange[] {
  if (refusal === undefined) return [change];
  return refusal.current === undefined ? [] : rule(parseMember(refusal.current));
}

async function readMembers(table: Table, orgId: string, memberIds: readonly number[]): Promise<MemberRecord[]> {
  const keys = memberIds.map((memberId) => memberKey(orgId, memberId));
  return (await batchGet(table, keys, { consistent: true })).map(parseMember);
}

function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
