import * as v from 'valibot';
import { catalogueAccess } from '../../catalogue/access.ts';
import { phaseLimits } from '../../domain/phases/phase.ts';
import { eventPath } from '../events/event-path.ts';
import { defineOperation } from '../operation.ts';
import { Phase } from '../schemas/phase.ts';
import { phaseFields, phaseProblems } from './phase-fields.ts';

const { title, ...others } = phaseFields;

export const createPhase = defineOperation({
  id: 'create-phase',
  resource: 'catalogue',
  summary: 'Create a phase of a sale',
  description: `Creates a phase of the event: a time in which its prices are sold, such as two days for members before everyone. A price that has phases is
sold only in them; a price without any as its own times say. Phases of one price must not overlap (400 \`phase_overlap\`); where one ends, the next may begin.
An event can have ${phaseLimits.perEvent} phases.

A phase is judged when tickets are added, as far as the buyer is known by then, and always at the checkout, as it is at that time: 403 \`phase_not_open\`
says when the next one opens, 403 \`not_eligible\` what the buyer lacks. Baskets with \`hold_until_unix\` ignore phases.`,
  method: 'POST',
  paths: ['/v1/events/{event_id}/phases'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: { params: eventPath, body: v.strictObject({ title, ...v.partial(v.strictObject(others)).entries }) },
  output: { status: 201, schema: Phase, problems: [...phaseProblems, 'too_many_phases'] },
  effects: { access: [catalogueAccess.createPhase], cannotBeUndone: false },
});

export type CreatePhaseBody = v.InferOutput<(typeof createPhase)['input']['body']>;
