import { readOrganisation } from '../../../shared/data/organisations/organisation.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { organisationResource } from '../../../shared/mappers/organisation.ts';
import { retrieveOrganisation } from '../../../shared/operations/organisation/retrieve-organisation.ts';

export const handle: Handle<typeof retrieveOrganisation> = async (_input, { caller, table }) => {
  const organisation = await readOrganisation(table, caller.orgId);
  if (organisation === undefined) throw notFound('organisation');
  return organisationResource(organisation);
};

export const handler = pipeline(retrieveOrganisation, handle);
