import * as v from 'valibot';
import { catalogueAccess } from '../../catalogue/access.ts';
import { defineOperation } from '../operation.ts';
import { field, Id, resource } from '../schemas/fields.ts';
import { phasePath } from './phase-fields.ts';

export const deletePhase = defineOperation({
  id: 'delete-phase',
  resource: 'catalogue',
  summary: 'Delete a phase of a sale',
  description:
    'Deletes the phase. A price without any other phase is then sold to everyone, as its own times say. What was bought in the phase stays bought.',
  method: 'DELETE',
  paths: ['/v1/events/{event_id}/phases/{phase_id}'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: { params: phasePath },
  output: {
    schema: resource('DeletedPhase', 'A deleted phase.', {
      phase_id: field(Id, 'The deleted phase.'),
      deleted: field(v.literal(true), 'Always true.'),
    }),
  },
  effects: { access: [catalogueAccess.deletePhase], cannotBeUndone: true },
});
