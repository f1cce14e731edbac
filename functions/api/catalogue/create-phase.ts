import { createPhase as create } from '../../../shared/catalogue/phases.ts';
import { parseEventId } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { unwrapPhase } from '../../../shared/http/handlers/from-path/phase-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { phaseInput, phaseResource } from '../../../shared/mappers/phase.ts';
import { createPhase } from '../../../shared/operations/catalogue/create-phase.ts';

export const handle: Handle<typeof createPhase> = async ({ params, body }, { caller, table, receipt }) => {
  const eventId = parseEventId(params.event_id);
  const given = { ...phaseInput(eventId, body), title: body.title.trim() };
  const saved = await create(table, caller.orgId, eventId, {
    given,
    sideEffects: (phase) => receipt(phaseResource(eventId, phase)),
  });
  return phaseResource(eventId, unwrapPhase(saved));
};

export const handler = pipeline(createPhase, handle);
