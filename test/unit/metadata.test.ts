import { expect, it } from 'vitest';
import { mergeMetadata } from '../../shared/domain/metadata.ts';

it('metadata that a change leaves as it is stays the same object, in whatever order the table returns its keys', () => {
  const known = { locker: '7', crm_id: '12' };
  for (const change of [{}, { crm_id: '12' }, { crm_id: '12', locker: '7' }, { gone: null }]) {
    expect(mergeMetadata(known, change)).toBe(known);
  }
  expect(mergeMetadata(known, { locker: '8' })).toEqual({ crm_id: '12', locker: '8' });
});
