import { readOrganisation } from '../../shared/data/organisations/organisation.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { Handle } from '../../shared/http/pipeline.ts';
import { organisationResource } from '../../shared/mappers/organisation.ts';
import type { retrieveOrganisation } from '../../shared/operations/organisation/retrieve-organisation.ts';
import { givenKey, givenOrganisation } from '../../tools/fixtures/auth.ts';
import { createTestTable } from './table.ts';

/** A new table with one organisation, and the text of an API key of it. */
export async function givenTableWithKey(orgId: string): Promise<{ readonly table: Table; readonly key: string }> {
  const { table } = await createTestTable();
  await givenOrganisation(table, orgId);
  const { text: key } = await givenKey(table, orgId);
  return { table, key };
}

/** The simplest handler that reads the table. */
export const retrieve: Handle<typeof retrieveOrganisation> = async (_input, deps) => {
  const found = await readOrganisation(deps.table, deps.caller.orgId);
  if (found === undefined) throw new Error('The organisation of this test is gone.');
  return organisationResource(found);
};
