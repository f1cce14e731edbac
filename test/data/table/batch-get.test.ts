import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { batchGet } from '../../../shared/data/table/batch-get.ts';
import { Contended } from '../../../shared/data/table/failures.ts';
import { memberKey } from '../../../shared/data/table/keys.ts';
import { openTable, type Table } from '../../../shared/data/table/table.ts';
import { aMember, givenMembers } from '../../../tools/fixtures/members.ts';
import { createTestTable, testClientConfig } from '../../support/table.ts';

const orgId = 'org_busy';
const members = Array.from({ length: 130 }, () => aMember());
const keys = members.map(({ memberId }) => memberKey(orgId, memberId));
let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
  await givenMembers(table, orgId, members);
});

const Asked = v.record(v.string(), v.looseObject({ Keys: v.array(v.record(v.string(), v.unknown())) }));

/** A busy table: it returns the first keys of each request and hands back the others as unprocessed. */
function busy(answered: number): Table {
  const slow = openTable(table.name, testClientConfig());
  slow.client.middlewareStack.add(
    (next) => async (args) => {
      if (!('RequestItems' in args.input)) return next(args);
      const { [table.name]: asked } = v.parse(Asked, args.input.RequestItems);
      const all = asked?.Keys ?? [];
      const few = { [table.name]: { ...asked, Keys: all.slice(0, Math.max(1, answered)) } };
      const { output, response } = await next({ ...args, input: { ...args.input, RequestItems: few } });
      const left = all.slice(answered);
      return {
        response,
        output: {
          ...output,
          ...(answered === 0 && { Responses: {} }),
          UnprocessedKeys: left.length === 0 ? {} : { [table.name]: { Keys: left } },
        },
      };
    },
    { step: 'initialize', priority: 'high' },
  );
  return slow;
}

describe('BatchGetItem', () => {
  it('batchGet reads all items from a table that returns only a part at a time', async () => {
    const found = await batchGet(busy(30), keys, { consistent: true });
    const ids = found.map(({ memberId }) => memberId);
    expect(ids).toHaveLength(130);
    expect(new Set(ids)).toEqual(new Set(members.map(({ memberId }) => memberId)));
  });

  it('batchGet reports unprocessed items as unavailable, which differs from missing', async () => {
    await expect(batchGet(busy(0), keys, { consistent: true })).rejects.toThrow(Contended);
  });

  it('batchGet omits items that do not exist, and reads nothing for no keys', async () => {
    expect(await batchGet(table, [memberKey('org_empty', 1)], { consistent: true })).toEqual([]);
    expect(await batchGet(table, [], { consistent: false })).toEqual([]);
  });
});
