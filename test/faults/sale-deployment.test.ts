import { cpSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { type StageConfig, stageConfig } from '../../lib/stage-config.ts';
import { operations } from '../../shared/operations/registry.ts';
import { deploy } from '../../tools/rehearsal/deploy.ts';
import { assembly } from '../support/assembly.ts';
import { withSmallStacks } from '../support/synthesize-small.ts';
import { readStacks } from '../support/template.ts';

const prod = assembly('prod');
const tools = {
  readDeployed: async () => [],
  readAccount: async () => ({ region: 'ap-southeast-2', limit: 10_000, unreserved: 10_000 }),
  createSigningKey: () => 0,
};

it('a deployment during a sale keeps what was raised, and asks nothing for a dry run', async () => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const raised = { 'open-basket': 399 };
  const commands: string[][] = [];
  const cdk = (args: readonly string[]) => {
    commands.push([...args]);
    if (args[0] === 'synth') cpSync(prod.assemblyDir, String(args.at(-1)), { recursive: true });
    return 0;
  };
  await deploy(['deploy', '--stage', 'prod'], { ...tools, cdk, readRaised: () => raised });
  await deploy(['deploy', '--stage', 'prod', '--dry-run'], { ...tools, cdk, readRaised: () => raised });
  written.mockRestore();
  const [synthesis, , dryRun] = commands;
  expect(synthesis).toContain(`raised=${JSON.stringify(raised)}`);
  expect(dryRun?.join(' ')).not.toContain('raised=');
  const some = operations.filter(({ id }) => id === 'open-basket' || id === 'add-basket-item');
  const reservations = (config: StageConfig) =>
    withSmallStacks({ config, operations: some }, readStacks)
      .ofType('AWS::Lambda::Function')
      .flatMap(({ Properties: { Description, ReservedConcurrentExecutions } }) => {
        const id = String(Description).split(':')[0] ?? '';
        return some.some((operation) => operation.id === id) ? [[id, ReservedConcurrentExecutions]] : [];
      });
  const everyday = Object.fromEntries(reservations(stageConfig('prod')));
  expect(Object.fromEntries(reservations(stageConfig('prod', raised)))).toEqual({ ...everyday, ...raised });
});
