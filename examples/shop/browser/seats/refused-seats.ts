import type { RefusedSeats } from '../../../site/browser/seats/resources.ts';
import { ApiError } from '../../../site/browser/state/request.ts';

const noSeats: RefusedSeats = { seats: [], instead: [] };

/** The seats that the API has refused, and those that it offers instead. */
export function refusedSeats(error: unknown): RefusedSeats {
  return (error instanceof ApiError ? error.seats : undefined) ?? noSeats;
}
