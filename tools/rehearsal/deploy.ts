import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type StageName, stageConfig, stageNames } from '../../lib/stage-config.ts';
import type { Concurrencies } from '../../shared/domain/lambda-concurrency.ts';
import { deployedTemplates } from '../releases/deployed-templates.ts';
import { foldRelease } from '../releases/fold-release.ts';
import { type AccountConcurrency, checkAccount, readAccount } from './check-account.ts';
import { checkFormerSecret } from './check-former-secret.ts';
import { checkRetiredGrants } from './check-retired-grants.ts';
import { readRaised } from './read-raised.ts';
import { rehearse } from './rehearse.ts';
import { type RehearsedStack, rehearsedStack } from './rehearsed-stack.ts';

const stages = stageNames.join('|');
const usage = `npm run deploy  -- --stage ${stages} [--dry-run] [--emergency] [-- options of cdk deploy]
npm run diff    -- --stage ${stages}
npm run destroy -- --stage ${stages} [--service-only] [-- options of cdk destroy]

--dry-run       synthesize and rehearse only: no credentials, no account, no network
--emergency     deploy at once: no gradual release, and no release alarm stops it
--service-only  destroy what can be replaced, and keep the state stack with its data`;

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Synthesizes and rehearses the stacks, and then deploys, compares or destroys exactly that assembly. Returns the exit code. */
export async function deploy([task = '', ...argv]: readonly string[], tools: Tools = ownTools): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: {
      stage: { type: 'string' },
      'dry-run': { type: 'boolean' },
      'service-only': { type: 'boolean' },
      emergency: { type: 'boolean' },
      help: { type: 'boolean' },
    },
    allowPositionals: true,
  });
  const stage = stageNames.find((name) => name === values.stage);
  if (values.help || stage === undefined) {
    process.stderr.write(`${values.help ? '' : 'Set --stage. '}${usage}\n`);
    return values.help ? 0 : 2;
  }
  const serviceOnly = values['service-only'] === true;
  const { cdk } = tools;
  const prepared = prepare(task, stage, { serviceOnly, dryRun: values['dry-run'] === true }, tools);
  if (prepared !== 0) return prepared;
  const assembly = mkdtempSync(join(tmpdir(), 'gateline-deploy-'));
  try {
    const synthesized = cdk(['synth', '--quiet', ...contextOf(task, stage, values, tools), '--output', assembly]);
    if (synthesized !== 0) return synthesized;
    const account = task === 'deploy' && !values['dry-run'] ? tools : undefined;
    // What is destroyed need not work.
    if (task !== 'destroy' && !(await passesRehearsal(stage, assembly, account))) return 1;
    if (task === 'diff') await leaveOutRelease(stage, assembly, tools);
    process.stderr.write(warningOf(stage, values.emergency));
    // Uses the rehearsed assembly, without a second synthesis.
    return values['dry-run']
      ? 0
      : cdk([task, ...stacksOf(task, stage, serviceOnly), '--app', assembly, ...positionals]);
  } finally {
    rmSync(assembly, { recursive: true, force: true });
  }
}

/** What must be true or exist before the synthesis. Returns 0, or the exit code of a refusal. */
function prepare(
  task: string,
  stage: StageName,
  { serviceOnly, dryRun }: Record<'serviceOnly' | 'dryRun', boolean>,
  tools: Tools,
): number {
  const { keepData, signingKeys } = stageConfig(stage);
  if (task === 'destroy' && keepData && !serviceOnly) {
    process.stderr.write(
      `The stage ${stage} keeps its data, so its state stack is not destroyed. To remove only the API, the functions and the queues, run: npm run destroy -- --stage ${stage} --service-only\n`,
    );
    return 2;
  }
  if (task !== 'deploy' || signingKeys.length > 0) return 0;
  process.stdout.write(`${stage} has no signing key yet. ${dryRun ? 'A deployment creates it.' : 'Creating it …'}\n`);
  return dryRun ? 0 : tools.createSigningKey(stage);
}

/** Without a signing key no API key could be issued. Only the operator's credentials can create it, so a dry run does not. */
function createSigningKey(stage: StageName): number {
  const command = ['--import', 'tsx', 'bin/admin.ts', 'signing-key', 'create', '--stage', stage];
  return spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' }).status ?? 1;
}

/** Without an account nothing is asked of AWS. */
async function passesRehearsal(stage: StageName, assembly: string, account: Account | undefined): Promise<boolean> {
  const stack = rehearsedStack(assembly);
  const problems = [...rehearse(stack), ...(account ? await compareWithAccount(stage, stack, account) : [])];
  for (const problem of problems) process.stderr.write(`✗ ${problem}\n`);
  if (problems.length === 0) process.stdout.write(`The rehearsal of ${stage} found no problems.\n`);
  return problems.length === 0;
}

/** What can only be known with the account: whether the deployed release could return, and whether Lambda has room for the new one. */
async function compareWithAccount(
  stage: StageName,
  stack: RehearsedStack,
  { readDeployed, readAccount }: Account,
): Promise<string[]> {
  const deployed = await readDeployed(stage);
  const templates = stack.stacks.map(({ template }) => template);
  const grants = checkRetiredGrants(stage, deployed, templates);
  const secrets = checkFormerSecret(stageConfig(stage), deployed);
  return [...secrets, ...grants, ...checkAccount(stack, deployed, await readAccount())];
}

/** A new release changes every function, and would hide in a diff what else has changed. */
async function leaveOutRelease(stage: StageName, assembly: string, { readDeployed }: Account): Promise<void> {
  const releases = foldRelease(assembly, await readDeployed(stage));
  if (releases === undefined || releases.from === releases.to) return;
  process.stdout.write(
    `The release ${releases.from} becomes ${releases.to}: every function gets a new version. The diff shows what else changes.\n`,
  );
}

/** `cdk diff` compares all stacks unless some are named. */
function stacksOf(task: string, stage: string, serviceOnly: boolean): string[] {
  if (serviceOnly) return [`Gateline-${stage}-service`, '--exclusively'];
  return task === 'diff' ? [] : ['--all'];
}

/** What a sale has raised is in the template that is deployed or compared, or CloudFormation would lower it. */
function contextOf(
  task: string,
  stage: StageName,
  { emergency, 'dry-run': isDryRun }: { readonly emergency?: boolean; readonly 'dry-run'?: boolean },
  { readRaised }: Tools,
): string[] {
  const raised = task === 'destroy' || isDryRun ? {} : readRaised(stage);
  const isRaised = Object.keys(raised).length > 0;
  const text = JSON.stringify(raised);
  if (isRaised) process.stdout.write(`A sale is prepared. The deployment keeps what it raised: ${text}\n`);
  return [
    ...['-c', `stage=${stage}`],
    ...(emergency ? ['-c', 'emergency=true'] : []),
    ...(isRaised ? ['-c', `raised=${text}`] : []),
  ];
}

function warningOf(stage: string, isEmergency = false): string {
  if (!isEmergency) return '';
  const line = '!'.repeat(100);
  return `${line}
EMERGENCY DEPLOYMENT OF ${stage.toUpperCase()}
Every request gets the new code at once. No canary protects it, and no release alarm rolls it back.
Watch the dashboard now. The way back: npm run rollback -- --stage ${stage}
${line}
`;
}

/** What a deployment asks of the account. */
interface Account {
  /** Reads the templates of the deployed release. */
  readDeployed(stage: string): Promise<unknown[]>;
  /** Asks for the Lambda concurrency of the account. */
  readAccount(): Promise<AccountConcurrency>;
}

/** What a deployment needs from outside. */
export interface Tools extends Account {
  /** Runs the CDK's CLI and returns its exit code. */
  cdk(args: readonly string[]): number;
  /** Reads what a sale has raised on the deployed stage. */
  readRaised(stage: StageName): Concurrencies;
  /** Creates the first signing key of a stage and returns the exit code. */
  createSigningKey(stage: StageName): number;
}

const ownTools: Tools = {
  cdk: (args) => spawnSync(join(root, 'node_modules/.bin/cdk'), args, { cwd: root, stdio: 'inherit' }).status ?? 1,
  readDeployed: deployedTemplates,
  readAccount,
  readRaised,
  createSigningKey,
};
