import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type MemberTypeCopy, refreshMembersOfType } from '../members/refresh.ts';
import { refreshMembersSince } from '../members/refresh-changed-types.ts';
import type { MembershipConfig } from '../membership/config.ts';
import { memberTypeCopy } from '../membership/config-changes.ts';
import { type ConfigDraft, type ConfigRecord, configKey } from '../membership/config-rows.ts';
import {
  type ConfigRow,
  type ConfigRows,
  configOfRows,
  configPut,
  planConfigSave,
  readConfigRows,
} from '../membership/save-config.ts';
import { isConditionFailure } from '../table/failures.ts';
import type { Table } from '../table/table.ts';
import { TriedWrites } from '../table/tried-writes.ts';
import { unchangedSince } from '../table/version.ts';

export type SaveOutcome = 'created' | 'updated' | 'unchanged';

/** Another writer changed the row after it was read. Nothing was written; it is safe to read again and repeat. */
export class ConfigConflict extends Error {}

/**
 * Edits the configuration of one organisation for an import: it is read once, then kept up to date with every save. If a change
 * affects copies in members, its row is marked as outdated until the members have been rewritten. After a crash the next editor of
 * the configuration completes this. The API begins a job instead.
 */
export class MembershipConfigEditor {
  readonly #table: Table;
  readonly #orgId: string;
  #rows: ConfigRows;
  #config: MembershipConfig;

  constructor(table: Table, orgId: string, rows: ConfigRows) {
    this.#table = table;
    this.#orgId = orgId;
    this.#rows = rows;
    this.#config = configOfRows(rows);
  }

  static async open(table: Table, orgId: string): Promise<MembershipConfigEditor> {
    return new MembershipConfigEditor(table, orgId, await readConfigRows(table, orgId));
  }

  get config(): MembershipConfig {
    return this.#config;
  }

  async save(draft: ConfigDraft, tried = new TriedWrites()): Promise<SaveOutcome> {
    const planned = planConfigSave(this.#orgId, this.#rows, draft);
    if (planned.outcome === 'unchanged') return 'unchanged';
    const { outcome, affected } = planned;
    const row = { ...planned.row, membersOutdated: affected.length > 0 || planned.row.membersOutdated };
    try {
      await tried.send(outcome, () =>
        this.#table.client.send(new PutCommand(configPut(this.#table, this.#orgId, row))),
      );
    } catch (error) {
      if (!isConditionFailure(error)) throw error;
      return this.#afterConflict(draft, tried);
    }
    this.#use(new Map(this.#rows).set(configKey(this.#orgId, row.record).sk, row));
    return outcome;
  }

  /** The write of an earlier attempt, whose response was lost, is not a conflict. */
  async #afterConflict(draft: ConfigDraft, tried: TriedWrites): Promise<SaveOutcome> {
    if (tried.unknownKind !== undefined) this.#use(await readConfigRows(this.#table, this.#orgId));
    if (planConfigSave(this.#orgId, this.#rows, draft).outcome === 'unchanged') return 'unchanged';
    throw new ConfigConflict('The membership configuration was changed at the same time. Import the file again.');
  }

  /** Rewrites the members of every marked row from the current configuration, and clears the marks. */
  async refreshMembers(): Promise<void> {
    this.#use(await readConfigRows(this.#table, this.#orgId));
    const marked = () => [...this.#rows.values()].filter(({ membersOutdated }) => membersOutdated);
    for (let rows = marked(); rows.length > 0; rows = marked()) {
      const types = new Map(rows.flatMap(({ record }) => this.#typesOf(record).map((type) => [type.typeId, type])));
      for (const type of types.values()) await refreshMembersOfType(this.#table, this.#orgId, type);
      // Another editor may have changed another row that these members copy, and may have rewritten them before.
      await refreshMembersSince(this.#table, this.#orgId, this.#config);
      for (const row of rows) await this.#clearOutdated(row);
      this.#use(await readConfigRows(this.#table, this.#orgId));
    }
  }

  #use(rows: ConfigRows): void {
    this.#rows = rows;
    this.#config = configOfRows(rows);
  }

  #typesOf(record: ConfigRecord): readonly MemberTypeCopy[] {
    return [...this.#config.types.values()]
      .filter(
        (type) =>
          (record.kind === 'type' && type.typeId === record.typeId) ||
          (record.kind === 'category' && type.categoryId === record.categoryId),
      )
      .map((type) => memberTypeCopy(this.#config, type));
  }

  async #clearOutdated({ record }: ConfigRow): Promise<void> {
    try {
      await this.#table.client.send(
        new UpdateCommand({
          TableName: this.#table.name,
          Key: configKey(this.#orgId, record),
          UpdateExpression: 'REMOVE membersOutdated',
          ...unchangedSince(record),
        }),
      );
    } catch (error) {
      // The row was changed again: the editor that changed it clears its mark.
      if (!isConditionFailure(error)) throw error;
    }
  }
}
