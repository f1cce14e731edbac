import { expect, it } from 'vitest';
import { combineAccess, writeActions } from '../../shared/domain/table-access.ts';
import { operations } from '../../shared/operations/registry.ts';
import { workers } from '../../shared/workers/registry.ts';

/** Who may write to items of this kind. */
const writersOf = (kind: 'RCB' | 'RCP'): readonly string[] =>
  [...operations, ...workers]
    .filter(({ effects }) =>
      combineAccess(effects.access)[kind]?.some((action) => writeActions.some((w) => w === action)),
    )
    .map(({ id }) => id);

// A peer numbered in the path of its orders, where a collision of two numbers stopped every checkout (pretix #1080).
it('no sale can fail, wait or conflict because of a number: only the worker of receipts may write series and documents', () => {
  expect(writersOf('RCB')).toEqual(['issue-receipts']);
  expect(writersOf('RCP')).toEqual(['issue-receipts']);
});

it('a checkout cannot even read where the series are', () => {
  const checkout = operations.find(({ id }) => id === 'check-out-basket');
  expect(Object.keys(combineAccess(checkout?.effects.access ?? []))).not.toContain('RCB');
});
