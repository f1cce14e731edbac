import type { SeatRefusal, ShownRow } from '../../../domain/seats/refusals.ts';
import { type Problem, problem } from '../../problem.ts';

/** The problem that reports why seats are not taken. `param` named them. */
export function seatProblem(refusal: SeatRefusal, param = 'seats'): Problem {
  switch (refusal.reason) {
    case 'seat_unknown':
      return problem('seat_unknown', `The event has no seat ${refusal.seat}. Name seats as section/row/seat.`, {
        param,
      });
    case 'seat_twice':
      return problem('parameter_invalid', `The seat ${refusal.seat} is there twice. Send every seat once.`, {
        param,
      });
    case 'seat_wrong_zone': {
      const { seat, zone, sold } = refusal;
      const message = `The seat ${seat} is in the zone ${zone}, and the price sells ${sold}. Choose a seat of the zone ${sold}, or another price.`;
      return problem('seat_wrong_zone', message, { param });
    }
    case 'seat_taken': {
      const { seats, rows } = refusal;
      const message = `Somebody else has taken ${seats.join(', ')}. Nothing was changed. Choose other seats.`;
      return problem('seat_taken', message, {
        param,
        seats: { seats: [...seats], rows: shown(rows), instead: [] },
      });
    }
    case 'leaves_single_seat': {
      const { seat, instead, rows } = refusal;
      const others = instead.map((take) => take.join(', ')).join('; or ');
      return problem('leaves_single_seat', `The seat ${seat} would be left alone. Take ${others} instead.`, {
        param,
        seats: { seats: [seat], rows: shown(rows), instead: instead.map((take) => [...take]) },
      });
    }
    case 'seats_not_together':
      return problem(
        'seats_not_together',
        'There are as many free seats, but not together. Ask for fewer, choose another section, or send together false.',
        { param: 'together' },
      );
    case 'accessible_sold_out':
      return problem(
        'accessible_sold_out',
        'Not enough wheelchair places are left. Ask for fewer with accessible, or choose another section or zone.',
        { param: 'accessible' },
      );
    case 'companion_only':
      return problem(
        'companion_only',
        `The seat ${refusal.seat} is for the companion of a wheelchair user. Take it together with the wheelchair place that it belongs to.`,
        { param },
      );
    case 'other_seat_count':
      return problem(
        'parameter_invalid',
        `One ticket of this price is for ${refusal.ticketsIncluded} people, and you sent ${refusal.seats} seats. Send as many seats as people.`,
        { param },
      );
    case 'seated_line':
      return problem(
        'parameter_invalid',
        'The quantity of a line with seats cannot change. Remove the line, or add seats with add-basket-seats.',
        { param: 'quantity' },
      );
  }
}

const shown = (rows: readonly ShownRow[]) => rows.map((row) => ({ ...row }));

/** Tickets of a price, or its seats in a section. */
export function soldOut(section: string | null): Problem {
  if (section === null)
    return problem('sold_out', 'Not enough tickets are left at this price. Ask for fewer, or choose another price.', {
      param: 'quantity',
    });
  return problem(
    'sold_out',
    `Not enough seats are left at this price in the section ${section}. Choose another one, or send no section.`,
    { param: 'section' },
  );
}
