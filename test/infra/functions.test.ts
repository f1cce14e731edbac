import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { operations } from '../../shared/operations/registry.ts';
import { readStack } from '../support/template.ts';

const stack = readStack('dev');

describe('functions', () => {
  it('are one per operation of the registry, and no other', () => {
    const described = stack
      .ofType('AWS::Lambda::Function')
      .map(({ Properties }) => String(Properties.Description).split(':')[0]);
    expect(described.sort()).toEqual(operations.map(({ id }) => id).sort());
  });

  it.each(operations)('$id runs on nodejs24.x and arm64, from a bundle with a handler', (operation) => {
    expect(stack.functionOf(operation).Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
    });
    expect(stack.bundleOf(operation)).toContain('handler');
  });
});

/** Read by the runtime and the libraries we use, not by our code, so not to be found in it. */
const libraryVariables = new Set(['POWERTOOLS_LOG_LEVEL']);

describe('variables', () => {
  const source = readFileSync(new URL('../../shared/platform/env.ts', import.meta.url), 'utf8');
  const known = [...source.matchAll(/required\('([A-Z_]+)'\)/g)].map(([, name]) => String(name));

  it('are found in the code at all', () => {
    expect(known).toContain('TABLE_NAME');
  });

  it.each(operations)('of $id: what its code reads is set, and what is set is read', (operation) => {
    const environment = stack.functionOf(operation).Properties.Environment as { Variables: Record<string, unknown> };
    const set = Object.keys(environment.Variables).filter((name) => !libraryVariables.has(name));
    const bundle = stack.bundleOf(operation);
    const read = known.filter((name) => bundle.includes(`"${name}"`));
    expect(set.sort()).toEqual(read.sort());
  });
});
