import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startDynamoDbLocal } from '../../local/dynamodb/dynamodb-local.ts';
import { type Assemblies, synthesizeAll } from './assemblies.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    dynamodbEndpoint: string;
    assemblies: Assemblies;
  }
}

/** Starts once per run what is slow to start: DynamoDB Local and the synthesized stacks. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'gateline-test-'));
  const starting = startDynamoDbLocal({ data: 'memory' });
  if (needsStacks(process.argv)) project.provide('assemblies', synthesizeAll(folder));
  const dynamodb = await starting;
  project.provide('dynamodbEndpoint', dynamodb.endpoint);
  return async () => {
    rmSync(folder, { recursive: true });
    await dynamodb.stop();
  };
}

/** A run of single data or unit test files does not need the three stacks. */
function needsStacks(argv: readonly string[]): boolean {
  const files = argv.filter((word) => word.startsWith('test/'));
  return files.length === 0 || files.some((file) => !/^test\/(data|unit)\//.test(file));
}
