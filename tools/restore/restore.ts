import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { restoredTables } from '../../lib/restored-tables.ts';
import { stageConfig, stageNames } from '../../lib/stage-config.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { type EraseAgain, isTableName, restoreTable } from './restore-table.ts';

const usage = `npm run restore -- --stage ${stageNames.join('|')} --table <new name> [--time <UTC> | --backup <arn>] [--erasures <file>] [--switch]

Restores the table of a stage into a new table, prepares it, erases again who was erased since, verifies it, and with --switch makes it the table of the service.
--table    the name of the new table. Repeat the command with the same name after an interruption: it continues
--time     the point in time, such as 2026-11-16T06:00:00Z; the latest one by default, about five minutes ago
--backup   a backup of DynamoDB instead, such as the one that it makes of a deleted table
--erasures who was erased since, as customer erasures printed it, if the table of the stage cannot be read or is not the one that was lost
--switch   writes lib/restored-tables.json. Then run npm run deploy, and commit the file

npm run restore -- --local --help is about the local run, on which the same steps are rehearsed.`;

const restoredFile = fileURLToPath(new URL('../../lib/restored-tables.json', import.meta.url));
const pollMs = 10_000;

const options = {
  stage: { type: 'string' },
  table: { type: 'string' },
  time: { type: 'string' },
  backup: { type: 'string' },
  erasures: { type: 'string' },
  switch: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

interface Output extends Readonly<Record<'print' | 'printError', (line: string) => void>> {
  readonly eraseAgain: EraseAgain;
}
type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

/** `npm run restore`. Returns the exit code. */
export async function restore(argv: readonly string[], output: Output): Promise<number> {
  let values: Values;
  try {
    ({ values } = parseArgs({ args: [...argv], options }));
  } catch (error) {
    output.printError(`${error instanceof Error ? error.message : String(error)}. ${usage}`);
    return 2;
  }
  return restoreStage(values, output);
}

async function restoreStage(values: Values, { print, printError, eraseAgain }: Output): Promise<number> {
  const stage = stageNames.find((name) => name === values.stage);
  const refuse = (problem: string): number => {
    printError(`${problem}${usage}`);
    return values.help ? 0 : 2;
  };
  if (values.help || stage === undefined) return refuse(values.help ? '' : 'Set --stage. ');
  const { table: tableName, backup } = values;
  if (!isTableName(tableName)) return refuse('Set --table. ');
  const time = values.time === undefined ? 'latest' : new Date(values.time);
  if (time !== 'latest' && Number.isNaN(time.getTime()))
    return refuse('--time must be a time, such as 2026-11-16T06:00:00Z. ');
  const { keepData, warmThroughput } = stageConfig(stage);
  const client = new DynamoDBClient({ maxAttempts: 10 });
  const outputs = await outputsOfState(stage);
  const current = restoredTables()[stage]?.tableName ?? outputs.tableName;
  if (current === tableName) return refuse(`${tableName} is the table of ${stage}. Name a new one. `);
  const isComplete = await restoreTable({
    client,
    source:
      backup === undefined
        ? { kind: 'point-in-time', tableName: current, time }
        : { kind: 'backup', backupArn: backup },
    erasures: { tableName: current, file: values.erasures },
    eraseAgain,
    // The stack's own key, and not that of the lost table, which may be gone.
    keyArn: outputs.keyArn,
    options: { tableName, stage, keepData, warmThroughput, isLocal: false, wait: () => sleep(pollMs) },
    switchTo: values.switch
      ? (table) => writeFileSync(restoredFile, `${JSON.stringify({ ...restoredTables(), [stage]: table }, null, 2)}\n`)
      : undefined,
    clock: systemClock,
    nowMs: () => performance.now(),
    print,
    printError,
  });
  if (!isComplete) return 1;
  print(
    values.switch
      ? `lib/restored-tables.json names ${tableName}. Next: npm run deploy -- --stage ${stage}, npm run smoke -- --stage ${stage}, and commit the file.`
      : `${tableName} is ready. Repeat the command with --switch to make it the table of ${stage}.`,
  );
  return 0;
}

async function outputsOfState(stage: string): Promise<Record<'tableName' | 'keyArn', string>> {
  const cloudFormation = new CloudFormationClient({});
  const { Stacks } = await cloudFormation.send(new DescribeStacksCommand({ StackName: `Gateline-${stage}-state` }));
  const output = (name: string): string => {
    const value = Stacks?.[0]?.Outputs?.find(({ OutputKey }) => OutputKey === name)?.OutputValue;
    if (value === undefined) throw new Error(`The stack Gateline-${stage}-state has no output ${name}.`);
    return value;
  };
  return { tableName: output('TableName'), keyArn: output('DataKeyArn') };
}
