import { type CommitResult, commitMember, type MemberChange, memberWrites } from '../members/change.ts';
import type { MemberRecord } from '../members/row.ts';
import type { Table } from '../table/table.ts';
import { maxTransactionItems, noSideEffects, transact } from '../table/transact.ts';

/** The members of a transaction share the item of their search words. */
const sharedItems = 1;

const creationOf = (after: MemberRecord): MemberChange => ({ before: undefined, after });

interface Creation {
  readonly member: MemberRecord;
  resolve(result: CommitResult): void;
  reject(error: unknown): void;
}

/**
 * Creates the members of an import. Creations that are requested at the same time share a transaction, because a transaction of
 * many members takes little longer than that of one. If it is refused, for whichever member, each of them is written in a
 * transaction of its own. If its outcome is unknown, all of them fail with its error, as they would alone.
 */
export class MemberCreations {
  readonly #table: Table;
  readonly #orgId: string;
  #waiting: Creation[] = [];
  #waitingItems = 0;

  constructor(table: Table, orgId: string) {
    this.#table = table;
    this.#orgId = orgId;
  }

  create(member: MemberRecord): Promise<CommitResult> {
    const items = memberWrites(this.#table, this.#orgId, [creationOf(member)]).length - sharedItems;
    if (this.#waitingItems + items + sharedItems > maxTransactionItems) this.#sendWaiting();
    if (this.#waiting.length === 0) setImmediate(() => this.#sendWaiting());
    this.#waitingItems += items;
    return new Promise((resolve, reject) => this.#waiting.push({ member, resolve, reject }));
  }

  #sendWaiting(): void {
    const creations = this.#waiting;
    this.#waiting = [];
    this.#waitingItems = 0;
    if (creations.length > 0) void this.#send(creations);
  }

  async #send(creations: readonly Creation[]): Promise<void> {
    try {
      if (creations.length > 1 && (await this.#writeTogether(creations))) {
        for (const { resolve } of creations) resolve('written');
        return;
      }
    } catch (error) {
      for (const { reject } of creations) reject(error);
      return;
    }
    for (const { member, resolve, reject } of creations) {
      commitMember(this.#table, this.#orgId, creationOf(member), noSideEffects).then(resolve, reject);
    }
  }

  /** False if nothing was written: a condition failed, or DynamoDB refuses an item, or two members have the same barcode. */
  async #writeTogether(creations: readonly Creation[]): Promise<boolean> {
    try {
      const changes = creations.map(({ member }) => creationOf(member));
      const refusals = await transact(this.#table, memberWrites(this.#table, this.#orgId, changes));
      return refusals.length === 0;
    } catch (error) {
      if (error instanceof Error && error.name === 'ValidationException') return false;
      throw error;
    }
  }
}
