import { MembershipConfigEditor } from '../../../shared/data/admin/membership-config-editor.ts';
import { type MembershipConfig, readMembershipConfig } from '../../../shared/data/membership/config.ts';
import type { ConfigDraft, ConfigRecord } from '../../../shared/data/membership/config-rows.ts';
import type { TriedWrites } from '../../../shared/data/table/tried-writes.ts';
import type { IsGiven, Rejection, StoredRow, TransferContext } from '../dataset.ts';

interface ConfigRows<OwnRow, OwnRecord extends ConfigRecord> {
  readonly defaults: Partial<OwnRow>;
  all(config: MembershipConfig): readonly OwnRecord[];
  toRow(record: OwnRecord, config: MembershipConfig): OwnRow;
  /** `waiting` are the rows of this import that refer to one which does not exist yet, by code. */
  toRecord(row: OwnRow, config: MembershipConfig, orgId: string, waiting: Map<string, OwnRow>): ConfigDraft | Rejection;
}

/** Reads and saves the datasets of the membership configuration. It is small: all of it is read, rows are written one by one. */
export function configStore<OwnRow extends StoredRow, OwnRecord extends ConfigRecord>(
  own: ConfigRows<OwnRow, OwnRecord>,
) {
  return {
    async open({ table, orgId }: TransferContext) {
      const editor = await MembershipConfigEditor.open(table, orgId);
      const waiting = new Map<string, OwnRow>();
      return {
        defaults: own.defaults,
        async find(key: string): Promise<OwnRow | undefined> {
          const record = own.all(editor.config).find(({ code }) => code === key);
          return record && own.toRow(record, editor.config);
        },
        async save(row: OwnRow, _isGiven: IsGiven, tried: TriedWrites) {
          const record = own.toRecord(row, editor.config, orgId, waiting);
          return 'rejected' in record ? record : editor.save(record, tried);
        },
        flush: () => editor.refreshMembers(),
      };
    },
    total: async ({ table, orgId }: TransferContext): Promise<number> =>
      own.all(await readMembershipConfig(table, orgId)).length,
    async *rows({ table, orgId }: TransferContext): AsyncGenerator<OwnRow> {
      const config = await readMembershipConfig(table, orgId);
      for (const record of own.all(config)) yield own.toRow(record, config);
    },
  };
}
