import { organisationsAccess } from '../../data/organisations/access.ts';
import { defineOperation } from '../operation.ts';
import { Organisation } from '../schemas/organisation.ts';

export const retrieveOrganisation = defineOperation({
  id: 'retrieve-organisation',
  resource: 'organisation',
  summary: 'Retrieve the organisation',
  description: 'Returns the organisation of the API key.',
  method: 'GET',
  paths: ['/v1/organisation'],
  auth: { kind: 'metered', scope: 'read' },
  output: { schema: Organisation },
  effects: { access: [organisationsAccess.readOrganisation] },
});
