import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type StageName, stageConfig, stageNames } from '../../lib/stage-config.ts';
import { rehearse } from './rehearse.ts';
import { readTemplate, rehearsedStack } from './rehearsed-stack.ts';

const usage = `npm run deploy -- --stage ${stageNames.join('|')} [--dry-run] [-- options of cdk deploy]
npm run diff -- --stage ${stageNames.join('|')}

--dry-run  synthesize and rehearse only: no credentials, no account, no network`;

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Synthesizes and rehearses the stack, and then deploys or compares exactly that assembly. Returns the exit code. */
export function deploy([task = '', ...argv]: readonly string[]): number {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { stage: { type: 'string' }, 'dry-run': { type: 'boolean' }, help: { type: 'boolean' } },
    allowPositionals: true,
  });
  const stage = stageNames.find((name) => name === values.stage);
  if (values.help || stage === undefined) {
    process.stderr.write(`${values.help ? '' : 'Set --stage. '}${usage}\n`);
    return values.help ? 0 : 2;
  }
  if (task === 'deploy' && stageConfig(stage).signingKeys.length === 0) {
    const created = createSigningKey(stage, values['dry-run'] === true);
    if (created !== 0) return created;
  }
  const assembly = mkdtempSync(join(tmpdir(), 'gateline-deploy-'));
  try {
    const synthesized = cdk(['synth', '--quiet', '-c', `stage=${stage}`, '--output', assembly]);
    if (synthesized !== 0) return synthesized;
    const problems = rehearse(rehearsedStack(readTemplate(assembly, `Gateline-${stage}`), assembly));
    for (const problem of problems) process.stderr.write(`✗ ${problem}\n`);
    if (problems.length > 0) return 1;
    process.stdout.write(`The rehearsal of ${stage} found no problems.\n`);
    // Deploys the rehearsed assembly, without a second synthesis.
    return values['dry-run'] ? 0 : cdk([task, '--app', assembly, ...positionals]);
  } finally {
    rmSync(assembly, { recursive: true, force: true });
  }
}

/** Without a signing key no API key could be issued. Only the operator's credentials can create it, so a dry run does not. */
function createSigningKey(stage: StageName, isDryRun: boolean): number {
  process.stdout.write(`${stage} has no signing key yet. ${isDryRun ? 'A deployment creates it.' : 'Creating it …'}\n`);
  if (isDryRun) return 0;
  const command = ['--import', 'tsx', 'bin/admin.ts', 'signing-key', 'create', '--stage', stage];
  return spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' }).status ?? 1;
}

function cdk(args: readonly string[]): number {
  return spawnSync(join(root, 'node_modules/.bin/cdk'), args, { cwd: root, stdio: 'inherit' }).status ?? 1;
}
