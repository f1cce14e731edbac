import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runContractTests } from './contract-tests.ts';
import { DeployedApi } from './deployed-api.ts';
import { startEmulator } from './emulator.ts';
import { callWholeFlow } from './flow.ts';
import { installEmulator } from './install.ts';
import { rehearseLostRegion } from './lost-region.ts';
import { Operator } from './operator.ts';
import { createOrganisation } from './organisation.ts';
import { Programs } from './programs.ts';
import { changeFile } from './project-copy.ts';
import { storeWallets } from './wallets.ts';

/** Deploys to the emulator, tests the deployment and destroys it. Returns what was wrong. Stops everything it has started, also when the signal aborts. */
export async function testDeployment(signal: AbortSignal): Promise<readonly string[]> {
  const programs = new Programs(mkdtempSync(join(tmpdir(), 'gateline-test-deploy-')));
  const stopped = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('Interrupted.')));
  });
  const problems: string[] = [];
  try {
    await Promise.race([runSteps(programs, problems), stopped]);
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  } finally {
    await programs.stopAll();
  }
  if (problems.length === 0) rmSync(programs.folder, { recursive: true, force: true });
  else console.log(`The logs are in ${programs.folder}`);
  return problems;
}

/** A step that only finds something wrong lets the others follow. One that cannot be completed throws. */
async function runSteps(programs: Programs, problems: string[]): Promise<void> {
  const startedMs = Date.now();
  const step = (text: string) => console.log(`[${Math.round((Date.now() - startedMs) / 1000)} s] ${text}`);
  const expect = (isTrue: boolean, problem: string) => {
    if (!isTrue) problems.push(problem);
  };

  const emulator = await startEmulator(programs, await installEmulator(programs));
  step(`The emulator runs as process ${emulator.pid} on port ${emulator.port}, with TLS and IAM.`);
  const operator = new Operator(programs, emulator);
  await operator.bootstrap();
  const outputs = await operator.deploy('deploy', 'dev');
  step('Deployed dev.');
  const api = new DeployedApi(outputs.ApiAddress ?? '', emulator);
  const admin = (name: string, args: readonly string[]) => operator.admin(name, 'dev', args);
  const key = await createOrganisation(admin, programs.folder);
  await storeWallets(admin, programs.folder);
  step('Created an organisation with the CLI, and stored what signs passes.');
  problems.push(...(await callWholeFlow(api, key, (line) => console.log(line))));
  step('Called the whole flow.');
  const tests = await runContractTests(programs, emulator, { api, table: outputs.TableName ?? '' });
  if (tests.problem !== undefined) problems.push(tests.problem);
  step(`Ran the contract tests of the registry: ${tests.summary}.`);
  expect(await operator.hasNoDifferences('dev'), 'The deployed stacks differ from the project: see diff.log.');
  step('Compared the deployed stacks with the project.');

  const statusOfHealth = async () => (await api.call('/v1/health', key)).status;
  // The schema of the response does not allow this value, so every request fails in the new release.
  changeFile(operator.project, 'functions/api/service/health.ts', "status: 'ok'", "status: 'defective'");
  await operator.deploy('update', 'dev');
  expect((await statusOfHealth()) === 500, 'The update of health is not live.');
  step('Updated one operation, with a defect.');
  await operator.rollBack('dev');
  expect((await statusOfHealth()) === 200, 'The defect of health is live after the rollback.');
  step('Rolled it back.');

  // After the rollback: the functions have two versions, between which an alias can move.
  const address = `https://127.0.0.1:${emulator.port}${api.base}`;
  await operator.smoke('dev', { address, host: api.host }).catch((error) => problems.push(String(error)));
  for (const line of programs.output('smoke').trimEnd().split('\n')) console.log(`  ${line}`);
  step('Ran the smoke test.');

  await operator.destroy('dev');
  step('Destroyed dev.');
  const refused = linesWith(programs.output('ministack'), 'is not authorized to perform');
  expect(refused.length === 0, `IAM refused ${refused.length} calls, the first: ${refused[0]}`);
  expect(unknownTypes(programs).length === 0, `The emulator does not know types of dev: ${unknownTypes(programs)}`);

  await operator.admin('prod-signing-key', 'prod', ['signing-key', 'create']);
  await operator.deployWithCdk('deploy-prod', 'prod');
  step('Deployed prod, without what the emulator does not know:');
  for (const type of unknownTypes(programs)) console.log(`  ${type}`);
  problems.push(...(await rehearseLostRegion(operator, emulator, { folder: programs.folder, step })));
}

const linesWith = (text: string, part: string): string[] => text.split('\n').filter((line) => line.includes(part));

/** The launcher writes them. */
function unknownTypes(programs: Programs): string[] {
  const lines = linesWith(programs.output('ministack'), 'unknown resource type: ');
  return [...new Set(lines.map((line) => line.split('unknown resource type: ')[1] ?? ''))].sort();
}
