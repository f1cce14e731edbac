import { readOrganisation } from '../../../../../shared/data/organisations/organisation.ts';
import { type Handle, pipeline } from '../../../../../shared/http/pipeline.ts';
import { notFound } from '../../../../../shared/http/problem.ts';
import { probe } from '../../../probe-operation.ts';

/** Every organisation has one probe, named after it; every other id is missing. */
export const echo: Handle<typeof probe> = async (input, { caller, table }) => {
  if (input.params.probe_id !== `probe-of-${caller.orgId}`) throw notFound('probe');
  switch (input.body.note) {
    case 'please break':
      throw new Error('The probe was told to break, with secret-fan@example.com in the message.');
    case 'please lie':
      return { params: {}, query: {} } as never;
    case 'please overreach':
      // The registry grants the probe only the grants of authentication, so this must fail.
      await readOrganisation(table, caller.orgId);
      return input;
    default:
      return input;
  }
};

export const handler = pipeline(probe, echo);
