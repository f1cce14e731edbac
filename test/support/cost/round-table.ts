import { setImmediate as nextTurn } from 'node:timers/promises';
import { execute } from '../../../local/cloud/dynamodb/model/execute.ts';
import type { Executed } from '../../../local/cloud/dynamodb/model/table-model.ts';
import type { Usage } from '../../../local/cloud/dynamodb/model/usage.ts';
import { personHash } from '../../../shared/data/table/hash-key.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { newTableModel, openModelTable } from '../../../tools/fixtures/model-table.ts';

/** What some work did to the table: how many calls waited for each other, and the units that it wrote. */
export interface Work {
  readonly depth: number;
  readonly writeUnits: number;
}

/** The charges of the sandbox, which a payment provider would keep in its own database. */
const isOfProvider = (usage: readonly Usage[]): boolean => usage.some(({ partition }) => partition.startsWith('SBX#'));

/** Everything that does not wait for a response has been sent after as many turns. */
const turns = 3;

/**
 * A table in memory that answers calls in rounds: those that are sent before any response arrives are one round. So the number of
 * rounds is how many calls the work makes one after the other, whatever the machine. The sandbox's own calls are not counted.
 */
export class RoundTable {
  readonly table: Table;
  readonly #model = newTableModel();
  #round: Promise<void> | undefined;
  #isCounted = false;
  #depth = 0;
  #writeUnits = 0;
  #readUnits = 0;

  constructor() {
    const retry = { sleep: async () => {}, random: () => 0 };
    this.table = openModelTable('rounds', (operation, input) => this.#call(operation, input), retry);
  }

  async measure(work: () => Promise<unknown>): Promise<Work> {
    // An instance reads the key of hashes once.
    await personHash(this.table);
    [this.#depth, this.#writeUnits, this.#readUnits] = [0, 0, 0];
    await work();
    return { depth: this.#depth, writeUnits: this.#writeUnits };
  }

  /** The units that the last measured work has read. */
  get readUnits(): number {
    return this.#readUnits;
  }

  async #call(operation: string, input: Parameters<typeof execute>[2]): Promise<Executed> {
    this.#round ??= this.#endOfRound();
    await this.#round;
    const executed = execute(this.#model, operation, input);
    if (!isOfProvider(executed.usage)) {
      this.#isCounted = true;
      this.#readUnits += executed.usage.reduce((sum, { readUnits }) => sum + readUnits, 0);
      this.#writeUnits += executed.usage.reduce((sum, { writeUnits }) => sum + writeUnits, 0);
    }
    return executed;
  }

  async #endOfRound(): Promise<void> {
    for (let turn = 0; turn < turns; turn += 1) await nextTurn();
    this.#round = undefined;
    this.#isCounted = false;
    // The calls of the round are executed before this.
    void nextTurn().then(() => {
      if (this.#isCounted) this.#depth += 1;
    });
  }
}
