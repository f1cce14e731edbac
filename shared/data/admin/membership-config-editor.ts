import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type MemberTypeCopy, refreshMembersOfType } from '../members/refresh.ts';
import { configOf, type MembershipConfig, readConfigItems, readMembershipConfig } from '../membership/config.ts';
import { affectedTypes, memberTypeCopy } from '../membership/config-changes.ts';
import {
  type ConfigDraft,
  type ConfigRecord,
  configItem,
  configKey,
  parseConfigRecords,
  RowState,
} from '../membership/config-rows.ts';
import { isConditionFailure } from '../table/failures.ts';
import { retryUntil } from '../table/retry.ts';
import { carried } from '../table/row.ts';
import type { Table } from '../table/table.ts';
import { TriedWrites } from '../table/tried-writes.ts';
import { isSameRecord, unchangedSince } from '../table/version.ts';

export type SaveOutcome = 'created' | 'updated' | 'unchanged';

/** Another writer changed the row after it was read. Nothing was written; it is safe to read again and repeat. */
export class ConfigConflict extends Error {}

interface Row extends RowState {
  readonly record: ConfigRecord;
}

/**
 * Edits the configuration of one organisation: it is read once, then kept up to date with every save. If a change affects
 * copies in members, its row is marked as outdated until the members have been rewritten. After a crash the next editor of
 * the configuration completes this.
 */
export class MembershipConfigEditor {
  readonly #table: Table;
  readonly #orgId: string;
  #rows: Map<string, Row>;
  #config: MembershipConfig;

  constructor(table: Table, orgId: string, rows: Map<string, Row>) {
    this.#table = table;
    this.#orgId = orgId;
    this.#rows = rows;
    this.#config = this.#configWith();
  }

  static async open(table: Table, orgId: string): Promise<MembershipConfigEditor> {
    return new MembershipConfigEditor(table, orgId, await readRows(table, orgId));
  }

  get config(): MembershipConfig {
    return this.#config;
  }

  async save(draft: ConfigDraft, tried = new TriedWrites()): Promise<SaveOutcome> {
    const { sk } = configKey(this.#orgId, draft);
    const row = this.#rows.get(sk);
    const version = row?.record.version ?? 0;
    const same = { ...carried(row?.record), ...draft, version };
    if (row !== undefined && isSameRecord(row.record, same)) return 'unchanged';
    const record = { ...same, version: version + 1 };
    const affected = affectedTypes(this.#config, this.#configWith([sk, record])).length > 0;
    const next: Row = {
      record,
      membersOutdated: affected || (row?.membersOutdated ?? false),
    };
    const kind = row === undefined ? 'created' : 'updated';
    try {
      await tried.send(kind, () => this.#put(next));
    } catch (error) {
      if (!isConditionFailure(error)) throw error;
      return this.#afterConflict(sk, draft, tried);
    }
    this.#rows.set(sk, next);
    this.#config = this.#configWith();
    return kind;
  }

  /** The write of an earlier attempt, whose response was lost, is not a conflict. */
  async #afterConflict(sk: string, draft: ConfigDraft, tried: TriedWrites): Promise<SaveOutcome> {
    if (tried.unknownKind !== undefined) await this.#reload();
    const row = this.#rows.get(sk);
    if (row !== undefined && isSameRecord(row.record, { ...draft, version: row.record.version })) return 'unchanged';
    throw new ConfigConflict('The membership configuration was changed at the same time. Import the file again.');
  }

  /** Rewrites the members of every marked row from the current configuration, and clears the marks. */
  async refreshMembers(): Promise<void> {
    await this.#reload();
    const marked = () => [...this.#rows.values()].filter(({ membersOutdated }) => membersOutdated);
    for (let rows = marked(); rows.length > 0; rows = marked()) {
      const types = new Map(rows.flatMap(({ record }) => this.#typesOf(record).map((type) => [type.typeId, type])));
      for (const type of types.values()) await refreshMembersOfType(this.#table, this.#orgId, type);
      // Another editor may have changed another row that these members copy, and may have rewritten them before.
      await refreshMembersSince(this.#table, this.#orgId, this.#config);
      for (const row of rows) await this.#clearOutdated(row);
      await this.#reload();
    }
  }

  async #reload(): Promise<void> {
    this.#rows = await readRows(this.#table, this.#orgId);
    this.#config = this.#configWith();
  }

  #configWith(...changes: readonly [sk: string, record: ConfigRecord][]): MembershipConfig {
    const records = new Map([...this.#rows].map(([sk, { record }]) => [sk, record]));
    for (const [sk, record] of changes) records.set(sk, record);
    return configOf(records.values());
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

  async #put({ record, ...state }: Row): Promise<void> {
    await this.#table.client.send(
      new PutCommand({
        TableName: this.#table.name,
        Item: configItem(this.#orgId, record, state),
        ...unchangedSince(record.version === 1 ? undefined : { version: record.version - 1 }),
      }),
    );
  }

  async #clearOutdated({ record }: Row): Promise<void> {
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

async function readRows(table: Table, orgId: string): Promise<Map<string, Row>> {
  const items = await readConfigItems(table, orgId, { consistent: true });
  const rows = items.flatMap((item): [string, Row][] =>
    parseConfigRecords([item]).map((record) => [configKey(orgId, record).sk, { record, ...v.parse(RowState, item) }]),
  );
  return new Map(rows);
}

/**
 * Updates members that were written from an earlier configuration: rewrites those that are affected by later changes, and
 * returns the current configuration. A change after that read updates the written members itself.
 */
export function refreshMembersSince(table: Table, orgId: string, config: MembershipConfig): Promise<MembershipConfig> {
  let before = config;
  return retryUntil('The membership configuration changes too often to update its members. Try again.', async () => {
    const now = await readMembershipConfig(table, orgId, { consistent: true });
    const affected = affectedTypes(before, now);
    if (affected.length === 0) return now;
    for (const type of affected) await refreshMembersOfType(table, orgId, type);
    before = now;
    return undefined;
  });
}
