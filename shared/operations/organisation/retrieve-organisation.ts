import { organisationsAccess } from '../../data/organisations/access.ts';
import { defineOperation } from '../operation.ts';
import { Organisation } from '../schemas/organisation.ts';

export const retrieveOrganisation = defineOperation({
  id: 'retrieve-organisation',
  resource: 'organisation',
  summary: 'Retrieve the organisation',
  description: 'Returns the organisation of the API key or storefront token.',
  method: 'GET',
  paths: ['/v1/organisation'],
  auth: {
    kind: 'metered',
    scope: 'read',
    storefront: {
      sees: 'the name, country, time zone, locale, images and colour of the organisation',
      fields: [
        'org_id',
        'name',
        'country',
        'country_name',
        'timezone',
        'locale',
        'logo_image',
        'background_image',
        'favicon',
        'background_color',
      ],
      catalogue: true,
    },
  },
  output: { schema: Organisation },
  effects: { access: [organisationsAccess.readOrganisation] },
});
