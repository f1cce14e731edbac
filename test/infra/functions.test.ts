import { describe, expect, it } from 'vitest';
import { answeringMemoryMb } from '../../lib/memory-sizes.ts';
import { variablesReadBy } from '../../lib/variables.ts';
import { localVariables } from '../../local/run/local-variables.ts';
import { combineAccess } from '../../shared/domain/table-access.ts';
import { operationAccess } from '../../shared/operations/grants.ts';
import { operations } from '../../shared/operations/registry.ts';
import { workers as registered } from '../../shared/workers/registry.ts';
import { isDeployedWith } from '../../shared/workers/worker.ts';
import { readStack } from '../support/template.ts';

const stack = readStack('dev');
const workers = registered.filter((worker) => isDeployedWith(worker, 'sandbox'));

describe('Lambda functions of the stack', () => {
  it('the stack has one function per operation and one per worker of the registries, and no other', () => {
    const described = stack
      .ofType('AWS::Lambda::Function')
      .map(({ Properties }) => String(Properties.Description).split(':')[0]);
    expect(described.sort()).toEqual([...operations, ...workers].map(({ id }) => id).sort());
  });

  it.each([...operations, ...workers])('$id runs on nodejs24.x and arm64, from a bundle with a handler', (deployed) => {
    expect(stack.functionOf(deployed).Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: `${('module' in deployed ? deployed.module : deployed.id).split('/').at(-1)}.handler`,
    });
    expect(stack.bundleOf(deployed)).toMatch(/\bhandler:\(\)=>/);
  });
});

describe('memory', () => {
  it('functions that answer have a whole core, except those that wait for the payment provider', () => {
    const smaller = operations.filter(
      (operation) => Number(stack.functionOf(operation).Properties.MemorySize) < answeringMemoryMb,
    );
    expect(smaller.map(({ id }) => id).sort()).toEqual([
      'check-out-basket',
      'pay-instalment',
      'prepare-payment',
      'retrieve-payment-plan',
      'set-payment-method',
    ]);
    for (const operation of smaller) expect(stack.functionOf(operation).Properties.MemorySize).toBe(1_024);
  });
});

describe('logs', () => {
  it('functions log JSON without a line of Lambda for every invocation, and write all of their own entries', () => {
    for (const { Properties } of stack.ofType('AWS::Lambda::Function')) {
      expect(Properties.LoggingConfig).toMatchObject({
        LogFormat: 'JSON',
        SystemLogLevel: 'WARN',
        ApplicationLogLevel: 'INFO',
      });
    }
  });
});

describe('the key of hashes', () => {
  it('exactly the functions whose code asks for the key of hashes may read it, and none may write it', () => {
    for (const deployed of [...operations, ...workers]) {
      const access = 'output' in deployed ? operationAccess(deployed) : combineAccess(deployed.effects.access);
      const needsKey = stack.bundleOf(deployed).includes('The table has no key of hashes.');
      expect(access.HMAC, deployed.id).toEqual(needsKey ? ['GetItem'] : undefined);
    }
  });
});

describe('environment variables', () => {
  it('environment variables are found in the code', () => {
    expect(variablesReadBy('"TABLE_NAME" "LINK_SECRET" "OTHER"')).toEqual(['TABLE_NAME', 'LINK_SECRET']);
  });
});

describe('webhook receivers on this machine', () => {
  it.each(['dev', 'prod'] as const)(
    'no function of the stage %s allows webhook receivers on this machine; only the local run does',
    (stage) => {
      const template = JSON.stringify([...readStack(stage).resources]);
      expect(template).toContain('DELIVERIES_URL');
      for (const name of Object.keys(localVariables)) expect(template).not.toContain(name);
      expect(Object.keys(localVariables)).toContain('LOOPBACK_RECEIVERS');
    },
  );
});

describe('settings that are off by default', () => {
  it.each(['dev', 'prod'] as const)(
    "no function of the stage %s calls another address than Stripe's, Apple's and Google's, or trusts a CDN for the address of a client",
    (stage) => {
      const stack = readStack(stage);
      expect(JSON.stringify([...stack.resources])).not.toMatch(/STRIPE_URL|APPLE_PUSH_URL|GOOGLE_WALLET_URL/);
      for (const operation of operations) {
        expect(stack.functionOf(operation).Properties.Environment).toMatchObject({
          Variables: { TRUSTED_CDN: 'none' },
        });
      }
    },
  );
});
