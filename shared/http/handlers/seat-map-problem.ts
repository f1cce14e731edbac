import type { SeatMapRecord } from '../../data/membership/config-rows.ts';
import type { SavedSeatMap } from '../../data/seat-maps/seat-maps.ts';
import { parseId } from '../../domain/ids.ts';
import { versionConflict } from '../if-match.ts';
import { notFound } from '../problem.ts';
import { codeTaken } from './catalogue-problem.ts';

/** The map that was saved. Throws the problem if it was refused. */
export function unwrapSavedSeatMap(saved: SavedSeatMap): SeatMapRecord {
  switch (saved.outcome) {
    case 'saved':
      return saved.record;
    case 'missing':
      throw notFound('seat map');
    case 'code_taken':
      throw codeTaken('seat map');
    case 'version_changed':
      throw versionConflict('seat map', saved.version);
  }
}

export function parseSeatMapId(text: string): number {
  const seatMapId = parseId(text);
  if (seatMapId === undefined) throw notFound('seat map');
  return seatMapId;
}
