import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type StageName, stageConfig, stageNames } from '../../lib/stage-config.ts';
import { rehearse } from './rehearse.ts';
import { rehearsedStack } from './rehearsed-stack.ts';

const stages = stageNames.join('|');
const usage = `npm run deploy  -- --stage ${stages} [--dry-run] [-- options of cdk deploy]
npm run diff    -- --stage ${stages}
npm run destroy -- --stage ${stages} [--service-only] [-- options of cdk destroy]

--dry-run       synthesize and rehearse only: no credentials, no account, no network
--service-only  destroy what can be replaced, and keep the state stack with its data`;

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Synthesizes and rehearses the stacks, and then deploys, compares or destroys exactly that assembly. Returns the exit code. */
export function deploy([task = '', ...argv]: readonly string[], cdk: Cdk = runCdk): number {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: {
      stage: { type: 'string' },
      'dry-run': { type: 'boolean' },
      'service-only': { type: 'boolean' },
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
  const prepared = prepare(task, stage, { serviceOnly, dryRun: values['dry-run'] === true });
  if (prepared !== 0) return prepared;
  const assembly = mkdtempSync(join(tmpdir(), 'gateline-deploy-'));
  try {
    const synthesized = cdk(['synth', '--quiet', '-c', `stage=${stage}`, '--output', assembly]);
    if (synthesized !== 0) return synthesized;
    // What is destroyed need not work.
    if (task !== 'destroy' && !passesRehearsal(stage, assembly)) return 1;
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
): number {
  const { keepData, signingKeys } = stageConfig(stage);
  if (task === 'destroy' && keepData && !serviceOnly) {
    process.stderr.write(
      `The stage ${stage} keeps its data, so its state stack is not destroyed. To remove only the API, the functions and the queues, run: npm run destroy -- --stage ${stage} --service-only\n`,
    );
    return 2;
  }
  return task === 'deploy' && signingKeys.length === 0 ? createSigningKey(stage, dryRun) : 0;
}

/** Without a signing key no API key could be issued. Only the operator's credentials can create it, so a dry run does not. */
function createSigningKey(stage: StageName, isDryRun: boolean): number {
  process.stdout.write(`${stage} has no signing key yet. ${isDryRun ? 'A deployment creates it.' : 'Creating it …'}\n`);
  if (isDryRun) return 0;
  const command = ['--import', 'tsx', 'bin/admin.ts', 'signing-key', 'create', '--stage', stage];
  return spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' }).status ?? 1;
}

function passesRehearsal(stage: string, assembly: string): boolean {
  const problems = rehearse(rehearsedStack(assembly));
  for (const problem of problems) process.stderr.write(`✗ ${problem}\n`);
  if (problems.length === 0) process.stdout.write(`The rehearsal of ${stage} found no problems.\n`);
  return problems.length === 0;
}

/** `cdk diff` compares all stacks unless some are named. */
function stacksOf(task: string, stage: string, serviceOnly: boolean): string[] {
  if (serviceOnly) return [`Gateline-${stage}-service`, '--exclusively'];
  return task === 'diff' ? [] : ['--all'];
}

/** Runs the CDK's CLI and returns its exit code. */
export type Cdk = (args: readonly string[]) => number;

const runCdk: Cdk = (args) =>
  spawnSync(join(root, 'node_modules/.bin/cdk'), args, { cwd: root, stdio: 'inherit' }).status ?? 1;
