import type { SavedPhase } from '../../../catalogue/phases.ts';
import { parseId } from '../../../domain/ids.ts';
import { type Phase, phaseLimits } from '../../../domain/phases/phase.ts';
import { versionConflict } from '../../if-match.ts';
import { notFound, problem, referenceMissing } from '../../problem.ts';
import { indexInEvent } from '../input/price-input.ts';
import { parseEventId } from './event-from-path.ts';

/** Parses the ids of a path. Event and phase may not exist. */
export function parsePhaseRef(params: { readonly event_id: string; readonly phase_id: string }) {
  const eventId = parseEventId(params.event_id);
  const number = indexInEvent(parseId(params.phase_id), eventId);
  if (number === undefined) throw notFound('phase');
  return { eventId, number };
}

/** The phase that was saved. Throws the problem of one that was not. */
export function unwrapPhase(saved: SavedPhase): Phase {
  switch (saved.outcome) {
    case 'saved':
      return saved.phase;
    case 'event_missing':
      throw notFound('event');
    case 'phase_missing':
      throw notFound('phase');
    case 'version_changed':
      throw versionConflict('phase', saved.version);
    case 'ends_before_start':
      throw problem('parameter_conflict', 'until_unix must be after from_unix.', { param: 'until_unix' });
    case 'price_missing':
      throw referenceMissing('price of the event', 'price_ids');
    case 'type_missing':
      throw referenceMissing('membership type', 'requires.membership_type_ids');
    case 'campaign_missing':
      throw referenceMissing('code campaign', 'requires.code_campaign_id');
    case 'too_many_phases':
      throw problem('too_many_phases', `An event can have at most ${phaseLimits.perEvent} phases. Delete one first.`);
    case 'overlap': {
      const { title } = saved.other;
      const message = `The phase "${title}" sells one of these prices at the same time. Let one end where the other begins, or name other price_ids.`;
      throw problem('phase_overlap', message, { param: 'from_unix' });
    }
  }
}
