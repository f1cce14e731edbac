import { updatePhase as update } from '../../../shared/catalogue/phases.ts';
import { parsePhaseRef, unwrapPhase } from '../../../shared/http/handlers/from-path/phase-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { phaseInput, phaseResource } from '../../../shared/mappers/phase.ts';
import { updatePhase } from '../../../shared/operations/catalogue/update-phase.ts';

export const handle: Handle<typeof updatePhase> = async ({ params, body }, { caller, table, ifMatch }) => {
  const ref = parsePhaseRef(params);
  const change = phaseInput(ref.eventId, body);
  const saved = await update(table, caller.orgId, ref, { change, ifMatch });
  return phaseResource(ref.eventId, unwrapPhase(saved));
};

export const handler = pipeline(updatePhase, handle);
