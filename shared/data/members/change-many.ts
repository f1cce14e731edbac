import { batchGet } from '../table/batch-get.ts';
import { memberKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type Refusal, type SideEffects, transact } from '../table/transact.ts';
import { contended, type MemberChange, type MemberFields, pauseAfterRace, rowPut, withFields } from './change.ts';
import { type MemberRecord, parseMember } from './row.ts';

export interface ManyMembers {
  readonly orgId: string;
  /** Each of them once. */
  readonly memberIds: readonly number[];
  readonly nowUnix: number;
  /** What changes, from the member as it is when it is written. Asked again after a lost race. */
  change(current: MemberRecord): Partial<MemberFields>;
}

/**
 * Changes many members by one rule, and answers the ids of those that exist. All are read at once; those that change are
 * written some in each transaction and some transactions at a time, so that 500 members are five round trips. It is not one
 * change: a crash leaves some done and some not, and to repeat it does the rest, because what does not change is not written.
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
    // Every transaction has ended when this returns or throws: nothing goes on behind the caller's back.
    const ended = await Promise.allSettled(some.map((chunk) => writeChunk(table, orgId, { chunk, rule, sideEffects })));
    const failure = ended.find((end) => end.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
  }
  return new Set(members.map(({ memberId }) => memberId));
}

/** The change of a member, or none. */
type Rule = (before: MemberRecord) => readonly MemberChange[];

/** A transaction takes 100 items: the row of each member and up to three that go along with it. */
const membersPerTransaction = 25;
/** Members of one organisation stand in one partition, which takes a thousand units a second: more at once would only wait. */
const transactionsAtOnce = 5;
const maxAttempts = 20;

interface Chunk {
  readonly chunk: readonly MemberChange[];
  readonly rule: Rule;
  readonly sideEffects: SideEffects<MemberChange>;
}

/** Who was changed by somebody else meanwhile is judged anew, from what the refusal says that it is; the others wait for it. */
async function writeChunk(table: Table, orgId: string, { chunk, rule, sideEffects }: Chunk): Promise<void> {
  let left = chunk;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    if (left.length === 0) return;
    const rows = left.map((change) => rowPut(table, orgId, change));
    const refusals = await transact(table, rows, left.flatMap(sideEffects));
    if (refusals.length === 0) return;
    left = left.flatMap((change, index) =>
      judgeAnew(
        change,
        refusals.find((refusal) => refusal.index === index),
        rule,
      ),
    );
    await pauseAfterRace(attempt);
  }
  throw contended();
}

function judgeAnew(change: MemberChange, refusal: Refusal | undefined, rule: Rule): readonly MemberChange[] {
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
