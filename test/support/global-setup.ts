import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { deployment } from '../../tools/fixtures/deployment.ts';
import { type Assembly, type AssemblyName, assemblyNames, synthesizeAll } from './assemblies.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    assemblies: Readonly<Record<string, Assembly>>;
  }
}

/** Prints the seed of the run, and synthesizes the stacks once for all tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { SEED } = project.config.env;
  console.log(`Random values start from SEED=${SEED}. Set it to repeat a run.`);
  // A deployment that exists already has its own table and stacks.
  if (deployment !== undefined) return async () => {};
  const folder = mkdtempSync(join(tmpdir(), 'gateline-test-'));
  project.provide('assemblies', synthesizeAll(folder, neededStacks(process.argv)));
  return async () => rmSync(folder, { recursive: true });
}

/** A run of single files synthesizes only the stacks that they use: none for data and unit tests and the mailer, two for contract tests. */
function neededStacks(argv: readonly string[]): readonly AssemblyName[] {
  const files = argv.filter((word) => word.startsWith('test/'));
  const others = files.filter((file) => !/^test\/(data|unit|faults\/mailer-season\.test\.ts)(\/|$)/.test(file));
  if (files.length === 0 || others.some((file) => !file.startsWith('test/contract/'))) return assemblyNames;
  return others.length === 0 ? [] : ['probe', 'stripe'];
}
