import { DescribeTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { putHint } from '../../../shared/data/table/due-hints.ts';
import type { DueKind } from '../../../shared/data/table/keys.ts';
import { tableSchema } from '../../../shared/data/table/schema.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { transact } from '../../../shared/data/table/transact.ts';
import { outboxItems } from '../../../shared/outbox/outbox.ts';
import { type Check, failed, notProvable, proved, secondsUntil } from '../check.ts';
import { hintsOf, type OwnOrganisation } from '../own-organisation.ts';

/** The sweeper publishes an event after two minutes. Before that, only the stream can have done it. */
const streamPatienceSeconds = 100;
/** Two runs of a schedule that runs every minute, and a cold start. */
const schedulePatienceSeconds = 150;

/** Checks of what happens after a write to the table. */
export const tableChecks = ({ orgId }: OwnOrganisation): readonly Check[] => [
  {
    id: 'time-to-live',
    assumption: 'DynamoDB deletes expired rows by the attribute ttl.',
    async run({ table, kind }) {
      if (kind === 'local')
        return notProvable('The local run deletes expired rows itself, not by the setting of the table.');
      const { TimeToLiveDescription: found } = await table.client.send(
        new DescribeTimeToLiveCommand({ TableName: table.name }),
      );
      if (found?.TimeToLiveStatus === 'DISABLED' && kind === 'emulator')
        return notProvable('The emulator ignores the setting of the table.');
      return found?.TimeToLiveStatus === 'ENABLED' && found.AttributeName === tableSchema.timeToLive
        ? proved(`Enabled for ${found.AttributeName}. The deletion itself takes up to two days and is not waited for.`)
        : failed(
            `The time to live is ${found?.TimeToLiveStatus} for ${found?.AttributeName}.`,
            'Deploy the state stack.',
          );
    },
  },
  {
    id: 'stream',
    assumption: 'An event goes from the table through stream, bus, rule and queue to the fan-out.',
    async run({ table }) {
      const announcement = { type: 'member.updated', data: { smoke: true } } as const;
      const cause = { nowMs: Date.now(), requestId: `smoke_${orgId}` };
      await transact(table, () => outboxItems(table, orgId, announcement, cause), []);
      const seconds = await secondsUntil(async () => !(await hasHint(table, orgId, 'outbox')), streamPatienceSeconds);
      return seconds === undefined
        ? failed(
            `No fan-out within ${streamPatienceSeconds} seconds.`,
            'See "The stream is behind" in docs/runbook.md.',
          )
        : proved(`Fanned out after ${seconds} s.`);
    },
  },
  {
    id: 'schedules',
    assumption: 'The schedules run every minute: a sweeper removes a hint that is due.',
    async run({ table, kind }) {
      const dueUnix = Math.floor(Date.now() / 1000);
      await putHint(table, { kind: 'stock', ref: [orgId, '1'], dueUnix });
      const seconds = await secondsUntil(async () => !(await hasHint(table, orgId, 'stock')), schedulePatienceSeconds);
      if (seconds !== undefined) return proved(`sweep-stock removed it after ${seconds} s.`);
      return kind === 'emulator'
        ? notProvable('The emulator ran no schedule.')
        : failed(`sweep-stock did not run within ${schedulePatienceSeconds} s.`, 'Check its rule and its log.');
    },
  },
];

async function hasHint(table: Table, orgId: string, kind: DueKind): Promise<boolean> {
  return (await hintsOf(table, orgId, [kind])).length > 0;
}
