import {
  DescribeLimitsCommand,
  DescribeTableCommand,
  type TableDescription,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
import type { Table } from '../../shared/data/table/table.ts';
import { type ArgumentType, as } from '../arguments.ts';
import { type Cli, example, type Program } from '../cli.ts';
import { refusal } from '../failure.ts';
import { alignColumns } from '../output/text.ts';

/** What every account may warm a table to. For more, AWS raises the quota of the account. */
const defaultQuota = 40_000;

const units: ArgumentType<number> = {
  allowed: 'a whole number from 1 to 9999999',
  parse: (text) => (/^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined),
};

export function addTableCommands(program: Program, { run }: Cli): void {
  const group = program.command('table').description('Prepare the table for a large sale.');

  group
    .command('warm')
    .description(
      'Raise the units a second that the table and each index serve at once. AWS charges once for the increase and never lowers it. Without options, show the current values.',
    )
    .option('--read-units <number>', `Read units a second: ${units.allowed}.`, as(units))
    .option('--write-units <number>', `Write units a second: ${units.allowed}.`, as(units))
    .addHelpText('after', example('table warm --read-units 24000 --write-units 16000 --stage prod'))
    .action(({ readUnits = 0, writeUnits = 0 }) =>
      run(async ({ table, show }) => {
        if (program.opts().local) {
          const text = 'The local run has no limits of throughput, so this command has no effect there. Use --stage.';
          show({ object: 'table_throughput', table: table.name, data: [], changed: false }, text);
          return;
        }
        const before = await describe(table);
        const wanted = before.throughputs.map((each) => ({
          ...each,
          // AWS refuses a lower value than the current one, for each of the two.
          read: Math.max(each.read, readUnits),
          write: Math.max(each.write, writeUnits),
        }));
        const changed = wanted.some((each, index) => isHigher(each, before.throughputs[index]));
        if (changed) {
          await checkQuota(table, { read: readUnits, write: writeUnits });
          await warm(table, before, wanted);
        }
        const state = changed ? 'UPDATING' : before.status;
        const data = wanted.map(({ name, read, write }) => ({ name, read_units: read, write_units: write }));
        const rows = wanted.map(({ name, read, write }) => [name, String(read), String(write)]);
        const next = changed
          ? 'AWS warms the table now. Run table warm again without options, until the state is ACTIVE.'
          : 'Nothing changed.';
        show(
          { object: 'table_throughput', table: table.name, state, data, changed },
          `${alignColumns([['', 'READ UNITS/S', 'WRITE UNITS/S'], ...rows])}\n\nState: ${state}. ${next}`,
        );
      }),
    );
}

/** What the table or an index serves at once, in units a second. */
interface Throughput {
  readonly name: string;
  readonly read: number;
  readonly write: number;
}

interface Described {
  readonly status: string;
  /** Of the table, then of each index. */
  readonly throughputs: readonly Throughput[];
}

async function describe({ client, name }: Table): Promise<Described> {
  const { Table: description } = await client.send(new DescribeTableCommand({ TableName: name }));
  const indexes = description?.GlobalSecondaryIndexes ?? [];
  const states = [description?.TableStatus, ...indexes.map(({ IndexStatus }) => IndexStatus)];
  return {
    status: states.find((state) => state !== 'ACTIVE') ?? 'ACTIVE',
    throughputs: [
      throughputOf('table', description?.WarmThroughput),
      ...indexes.map(({ IndexName = '', WarmThroughput }) => throughputOf(IndexName, WarmThroughput)),
    ],
  };
}

function throughputOf(name: string, warm: TableDescription['WarmThroughput']): Throughput {
  return { name, read: warm?.ReadUnitsPerSecond ?? 0, write: warm?.WriteUnitsPerSecond ?? 0 };
}

function isHigher(wanted: Throughput, current: Throughput | undefined): boolean {
  return wanted.read > (current?.read ?? 0) || wanted.write > (current?.write ?? 0);
}

/** The quotas of DynamoDB for one table, by the units that they limit. */
const quotaCodes = { read: 'L-CF0CBE56', write: 'L-AB614373' } as const;

/** AWS would refuse the whole call, without naming the quota. */
async function checkQuota({ client }: Table, wanted: Readonly<Record<'read' | 'write', number>>): Promise<void> {
  if (Math.max(wanted.read, wanted.write) <= defaultQuota) return;
  const limits = await client.send(new DescribeLimitsCommand({}));
  const quotas = {
    read: limits.TableMaxReadCapacityUnits ?? defaultQuota,
    write: limits.TableMaxWriteCapacityUnits ?? defaultQuota,
  };
  for (const kind of ['read', 'write'] as const) {
    if (wanted[kind] <= quotas[kind]) continue;
    throw refusal(
      'quota_exceeded',
      `The account allows ${quotas[kind]} ${kind} units a second for a table. Request more: aws service-quotas request-service-quota-increase --service-code dynamodb --quota-code ${quotaCodes[kind]} --desired-value ${wanted[kind]}`,
    );
  }
}

/** One call for table and indexes: while it runs, the table accepts no other. */
async function warm({ client, name }: Table, before: Described, wanted: readonly Throughput[]): Promise<void> {
  if (before.status !== 'ACTIVE') {
    throw refusal('table_updating', `The table is ${before.status}, and AWS accepts one change at a time. Try later.`);
  }
  const [ofTable, ...ofIndexes] = wanted.map(({ read, write }, index) =>
    isHigher({ name, read, write }, before.throughputs[index])
      ? { ReadUnitsPerSecond: read, WriteUnitsPerSecond: write }
      : undefined,
  );
  const updates = ofIndexes.flatMap((WarmThroughput, index) => {
    const IndexName = wanted[index + 1]?.name;
    return WarmThroughput === undefined ? [] : [{ Update: { IndexName, WarmThroughput } }];
  });
  await client.send(
    new UpdateTableCommand({
      TableName: name,
      ...(ofTable && { WarmThroughput: ofTable }),
      ...(updates.length > 0 && { GlobalSecondaryIndexUpdates: updates }),
    }),
  );
}
