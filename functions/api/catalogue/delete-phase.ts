import { deletePhase as remove } from '../../../shared/catalogue/phases.ts';
import { phaseIdOf } from '../../../shared/domain/phases/phase.ts';
import { parsePhaseRef, unwrapPhase } from '../../../shared/http/handlers/from-path/phase-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { deletePhase } from '../../../shared/operations/catalogue/delete-phase.ts';

export const handle: Handle<typeof deletePhase> = async ({ params }, { caller, table }) => {
  const ref = parsePhaseRef(params);
  const { number } = unwrapPhase(await remove(table, caller.orgId, ref));
  return { phase_id: phaseIdOf(ref.eventId, number), deleted: true };
};

export const handler = pipeline(deletePhase, handle);
