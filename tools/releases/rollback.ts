import { parseArgs } from 'node:util';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { stageNames } from '../../lib/stage-config.ts';
import {
  planRollback,
  previousRelease,
  type ReleasedFunction,
  type RollbackPlan,
  RollbackRefused,
} from './plan-rollback.ts';
import {
  aliasesOf,
  type History,
  moveAlias,
  readFunction,
  refuseDuringDeployment,
  rememberWithdrawn,
} from './released-functions.ts';

const usage = `npm run rollback -- --stage ${stageNames.join('|')} [--to <release>] [--dry-run]

Points all aliases of the stage at the release before the deployed one, within seconds and without a build.
--to       another release, older or newer: the field release of a log line
--dry-run  show what would change, and change nothing

It changes the code of all functions, of the API and of the workers, and nothing else: no route, grant or table. The next
deployment replaces it.`;

interface Output {
  print(line: string): void;
  printError(line: string): void;
}

/** Concurrent calls. The SDK waits and repeats a call that Lambda throttles. */
const concurrency = 10;
const maxAttempts = 10;

/** Rolls a stage back. Returns the exit code. */
export async function rollback(argv: readonly string[], { print, printError }: Output): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      stage: { type: 'string' },
      to: { type: 'string' },
      'dry-run': { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  const stage = stageNames.find((name) => name === values.stage);
  if (values.help || stage === undefined) {
    printError(`${values.help ? '' : 'Set --stage. '}${usage}`);
    return values.help ? 0 : 2;
  }
  const lambda = new LambdaClient({ maxAttempts });
  try {
    const functions = await readStage(`Gateline-${stage}-service`, lambda, values.to === undefined ? 'latest' : 'all');
    const plan = planRollback(functions, values.to ?? previousRelease(functions));
    printPlan(plan, stage, print);
    return values['dry-run'] || plan.moves.length === 0 ? 0 : await carryOut(plan, lambda, { print, printError });
  } catch (error) {
    if (!(error instanceof RollbackRefused)) throw error;
    printError(error.message);
    return 1;
  } finally {
    lambda.destroy();
  }
}

function printPlan({ to, moves, without }: RollbackPlan, stage: string, print: Output['print']): void {
  for (const name of without) print(`${name} has no version of ${to} and does not change.`);
  if (moves.length === 0) print(`Nothing to do: ${stage} runs the release ${to}.`);
  else print(`${stage}: ${moves.length} functions move to the release ${to}.`);
}

async function carryOut({ to, moves }: RollbackPlan, lambda: LambdaClient, output: Output): Promise<number> {
  const { print, printError } = output;
  const failed = await inParallel(moves, (move) => moveAlias(lambda, move));
  for (const { item, error } of failed) printError(`${item.name}: ${error}`);
  if (failed.length > 0) {
    printError(`${failed.length} aliases did not move. Run the command again: it continues.`);
    return 1;
  }
  print(`Done: all functions, of the API and of the workers, run the release ${to}.`);
  // After all aliases, because this only matters for the next rollback.
  const untagged = await inParallel(moves, (move) => rememberWithdrawn(lambda, move));
  if (untagged.length > 0)
    printError(`The withdrawn release could not be noted (${untagged[0]?.error}). At the next rollback, use --to.`);
  print(
    'The next deployment replaces it. If that deployment fails, CloudFormation restores the release that it deployed',
  );
  print('before, not this one: run the rollback again.');
  return 0;
}

async function readStage(stackName: string, lambda: LambdaClient, history: History): Promise<ReleasedFunction[]> {
  const cloudFormation = new CloudFormationClient({ maxAttempts });
  try {
    await refuseDuringDeployment(cloudFormation, stackName);
    const aliases = await aliasesOf(cloudFormation, stackName);
    if (aliases.length === 0) throw new RollbackRefused(`${stackName} has no functions with an alias.`);
    const functions: ReleasedFunction[] = [];
    const failed = await inParallel(aliases, async (alias) => {
      functions.push(await readFunction(lambda, alias, history));
    });
    const [first] = failed;
    if (first !== undefined) throw first.error;
    return functions;
  } finally {
    cloudFormation.destroy();
  }
}

interface FailedItem<Item> {
  readonly item: Item;
  readonly error: unknown;
}

/** Works on all items, although some fail, and returns those. */
async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<FailedItem<Item>[]> {
  const remaining = items.values();
  const failed: FailedItem<Item>[] = [];
  const run = async (): Promise<void> => {
    for (const item of remaining) await work(item).catch((error: unknown) => failed.push({ item, error }));
  };
  await Promise.all(Array.from({ length: concurrency }, run));
  return failed;
}
