import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { StageName } from '../../lib/stage-config.ts';
import { account, type Emulator, region as homeRegion } from './emulator.ts';
import type { Programs } from './programs.ts';
import { copyProject } from './project-copy.ts';

const StackOutputs = v.record(v.string(), v.record(v.string(), v.string()));
type Outputs = Readonly<Record<string, string>>;

/** The commands of an operator in a copy of the project, with the emulator in place of AWS. */
export class Operator {
  readonly project: string;
  readonly #programs: Programs;
  readonly #emulator: Emulator;
  readonly #region: string;

  constructor(programs: Programs, emulator: Emulator, { region = homeRegion, project = '' } = {}) {
    this.#programs = programs;
    this.#emulator = emulator;
    this.#region = region;
    this.project = project === '' ? copyProject(programs.folder) : project;
  }

  /** The same operator and project, in another region. */
  inRegion(region: string): Operator {
    return new Operator(this.#programs, this.#emulator, { region, project: this.project });
  }

  /** In an empty folder, because the CDK would synthesize the app of this one. */
  async bootstrap(name = 'bootstrap'): Promise<void> {
    const cwd = join(this.#programs.folder, name);
    mkdirSync(cwd);
    await this.#run(name, this.#cdk, ['bootstrap', `aws://${account}/${this.#region}`], cwd);
  }

  /** `npm run deploy`. Returns the outputs of all stacks. The first deployment creates the signing key, too. */
  deploy(name: string, stage: StageName): Promise<Outputs> {
    return this.#withOutputs(name, (options) =>
      this.#bin(name, 'deploy.ts', ['deploy', '--stage', stage, '--', ...options]),
    );
  }

  /** Plain CDK. It does not ask for what only the team that runs the stage knows. */
  deployWithCdk(name: string, stage: StageName): Promise<Outputs> {
    return this.#withOutputs(name, (options) =>
      this.#run(name, this.#cdk, ['deploy', '--all', '-c', `stage=${stage}`, ...options], this.project),
    );
  }

  async #withOutputs(name: string, deploy: (options: string[]) => Promise<unknown>): Promise<Outputs> {
    const file = join(this.#programs.folder, `${name}-outputs.json`);
    writeFileSync(file, '{}');
    await deploy(['--require-approval', 'never', '--outputs-file', file]);
    const stacks = v.parse(StackOutputs, JSON.parse(readFileSync(file, 'utf8')));
    return Object.assign({}, ...Object.values(stacks));
  }

  async hasNoDifferences(stage: StageName): Promise<boolean> {
    const output = await this.#bin('diff', 'deploy.ts', ['diff', '--stage', stage]);
    return /Number of stacks with differences: 0\b/.test(output);
  }

  async destroy(stage: StageName): Promise<void> {
    await this.#bin('destroy', 'deploy.ts', ['destroy', '--stage', stage, '--', '--force']);
  }

  async rollBack(stage: StageName): Promise<void> {
    await this.#bin('rollback', 'rollback.ts', ['--stage', stage]);
  }

  /** `npm run smoke`. Returns its report. A check that fails makes the program fail. */
  smoke(stage: StageName, { address, host }: { readonly address: string; readonly host: string }): Promise<string> {
    return this.#bin('smoke', 'smoke.ts', ['--stage', stage, '--changes', '--address', address, '--host', host]);
  }

  /** `npm run restore`, of a table that exists. It becomes the table of the stage. */
  async restore(stage: StageName, table: string): Promise<void> {
    await this.#bin('restore', 'restore.ts', ['--stage', stage, '--table', table, '--switch']);
  }

  /** A program of the project. */
  async program(name: string, file: string, args: readonly string[]): Promise<void> {
    await this.#run(name, process.execPath, ['--import', 'tsx', file, ...args], this.project);
  }

  admin(name: string, stage: StageName, args: readonly string[]): Promise<string> {
    return this.#bin(name, 'admin.ts', [...args, '--stage', stage]);
  }

  get #cdk(): string {
    return join(this.project, 'node_modules/.bin/cdk');
  }

  #bin(name: string, file: string, args: readonly string[]): Promise<string> {
    return this.#run(name, process.execPath, ['--import', 'tsx', join('bin', file), ...args], this.project);
  }

  #run(name: string, command: string, args: readonly string[], cwd: string): Promise<string> {
    const env = { ...this.#emulator.env, AWS_REGION: this.#region, AWS_DEFAULT_REGION: this.#region };
    return this.#programs.run({ name, command, args, cwd, env });
  }
}
