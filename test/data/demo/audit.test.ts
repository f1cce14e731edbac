import { expect, it } from 'vitest';
import { demoHashKeyItem } from '../../../local/demo/hash-key.ts';
import { demoItems } from '../../../local/demo/items.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { putItems } from '../../../tools/fixtures/put-items.ts';
import { findingsOf } from '../../support/audit.ts';
import { createTestTable } from '../../support/table.ts';
import { someOf } from '../../support/thorough.ts';

const nowUnix = Date.UTC(2026, 10, 14, 15) / 1000;

it.each(someOf(['org_lantern', 'org_harbourfc'], 2))(
  'the audit finds nothing in the demo data of %s',
  async (orgId) => {
    const { table } = await createTestTable();
    await givenOrganisation(table, orgId);
    await putItems(table, [{ ...demoHashKeyItem }, ...demoItems(orgId, nowUnix)]);
    expect(await findingsOf(table, orgId, nowUnix)).toEqual([]);
    table.client.destroy();
  },
);
