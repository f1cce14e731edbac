import * as v from 'valibot';
import { catalogueAccess } from '../../catalogue/access.ts';
import { defineOperation } from '../operation.ts';
import { Phase } from '../schemas/phase.ts';
import { phaseFields, phasePath, phaseProblems } from './phase-fields.ts';

export const updatePhase = defineOperation({
  id: 'update-phase',
  resource: 'catalogue',
  summary: 'Update a phase of a sale',
  description:
    'Changes the fields that you send and leaves the others unchanged; `requires` is replaced as a whole. Baskets that are not being paid yet are judged by the phase as it is at their checkout.',
  method: 'PATCH',
  paths: ['/v1/events/{event_id}/phases/{phase_id}'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: {
    params: phasePath,
    ifMatch: true,
    body: v.pipe(v.partial(v.strictObject(phaseFields)), v.minEntries(1, 'Send at least one field to change.')),
  },
  output: { schema: Phase, problems: ['parameter_missing', ...phaseProblems] },
  effects: { access: [catalogueAccess.updatePhase], cannotBeUndone: false },
});
