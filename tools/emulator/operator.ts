import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { StageName } from '../../lib/stage-config.ts';
import { account, type Emulator, region } from './emulator.ts';
import type { Programs } from './programs.ts';
import { copyProject } from './project-copy.ts';

const Outputs = v.record(v.string(), v.record(v.string(), v.string()));

/** The commands of an operator in a copy of the project, with the emulator in place of AWS. */
export class Operator {
  readonly project: string;
  readonly #programs: Programs;
  readonly #emulator: Emulator;

  constructor(programs: Programs, emulator: Emulator) {
    this.#programs = programs;
    this.#emulator = emulator;
    this.project = copyProject(programs.folder);
  }

  /** In an empty folder, because the CDK would synthesize the app of this one. */
  async bootstrap(): Promise<void> {
    const cwd = join(this.#programs.folder, 'bootstrap');
    mkdirSync(cwd);
    await this.#run('bootstrap', this.#cdk, ['bootstrap', `aws://${account}/${region}`], cwd);
  }

  /** `npm run deploy`. Returns the outputs of all stacks. The first deployment creates the signing key, too. */
  async deploy(name: string, stage: StageName): Promise<Readonly<Record<string, string>>> {
    const file = join(this.#programs.folder, `${name}-outputs.json`);
    writeFileSync(file, '{}');
    const options = ['--require-approval', 'never', '--outputs-file', file];
    await this.#bin(name, 'deploy.ts', ['deploy', '--stage', stage, '--', ...options]);
    const stacks = v.parse(Outputs, JSON.parse(readFileSync(file, 'utf8')));
    return Object.assign({}, ...Object.values(stacks));
  }

  /** Plain CDK. It does not ask for the alarm mail, which only the team that runs the stage knows. */
  async deployWithCdk(name: string, stage: StageName): Promise<void> {
    const options = ['--require-approval', 'never'];
    await this.#run(name, this.#cdk, ['deploy', '--all', '-c', `stage=${stage}`, ...options], this.project);
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
    return this.#programs.run({ name, command, args, cwd, env: this.#emulator.env });
  }
}
