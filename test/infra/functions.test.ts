import { describe, expect, it } from 'vitest';
import { libraryVariables, variablesReadBy } from '../../lib/variables.ts';
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
    expect(stack.bundleOf(operation)).toMatch(/\bhandler:\(\)=>/);
  });
});

describe('variables', () => {
  it('are found in the code at all', () => {
    expect(variablesReadBy('"TABLE_NAME" "SECRET_ARN" "OTHER"')).toEqual(['TABLE_NAME', 'SECRET_ARN']);
  });

  it.each(operations)('of $id: what its code reads is set, and what is set is read', (operation) => {
    const environment = stack.functionOf(operation).Properties.Environment as { Variables: Record<string, unknown> };
    const set = Object.keys(environment.Variables).filter((name) => !libraryVariables.has(name));
    expect(set.sort()).toEqual(variablesReadBy(stack.bundleOf(operation)).sort());
  });
});
