import { parseId } from '../../../domain/ids.ts';
import { maxChangedRows } from '../../../domain/seats/other-version.ts';
import type { SeatMapRefusal } from '../../../domain/seats/refusals.ts';
import { seatList } from '../../../domain/seats/seat-map.ts';
import { versionConflict } from '../../if-match.ts';
import { notFound, problem } from '../../problem.ts';
import { codeTaken } from './catalogue-problem.ts';

/** The map that was saved. Throws the problem if it was refused. */
export function unwrapSavedSeatMap<Saved>(
  saved: { readonly outcome: 'saved'; readonly record: Saved } | SeatMapRefusal,
  param: 'plan' | 'sections' = 'sections',
): Saved {
  switch (saved.outcome) {
    case 'saved':
      return saved.record;
    case 'missing':
      throw notFound('seat map');
    case 'code_taken':
      throw codeTaken('seat map');
    case 'seats_lost':
      throw problem(
        'already_sold',
        `The map does not have ${seatList(saved.seats)}, which members have. Give these members other seats with set-member-seat first, or keep the seats in the map.`,
        { param },
      );
    case 'too_many_rows':
      throw problem(
        'parameter_invalid',
        `The version changes the seats of ${saved.rows} rows, and the map of a membership category can lose seats in ${maxChangedRows} rows at a time. Change it in several versions.`,
        { param },
      );
    case 'version_changed':
      throw versionConflict('seat map', saved.version);
  }
}

export function parseSeatMapId(text: string): number {
  const seatMapId = parseId(text);
  if (seatMapId === undefined) throw notFound('seat map');
  return seatMapId;
}
