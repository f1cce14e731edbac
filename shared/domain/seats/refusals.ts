/** A row as it is now: one character for each seat, `.` free and `x` taken. */
export interface ShownRow {
  readonly section: string;
  readonly row: string;
  readonly seats: string;
}

/** Why seats are not added to a basket. */
export type SeatRefusal =
  | { readonly reason: 'seat_unknown' | 'seat_twice' | 'companion_only'; readonly seat: string }
  /** `sold` is the zone of the price. */
  | { readonly reason: 'seat_wrong_zone'; readonly seat: string; readonly zone: string; readonly sold: string }
  | { readonly reason: 'seat_taken'; readonly seats: readonly string[]; readonly rows: readonly ShownRow[] }
  | {
      readonly reason: 'leaves_single_seat';
      readonly seat: string;
      readonly instead: readonly (readonly string[])[];
      readonly rows: readonly ShownRow[];
    }
  | { readonly reason: 'seats_not_together' | 'accessible_sold_out' }
  /** The price sells several tickets at once, and these are not a multiple of them. */
  | { readonly reason: 'other_seat_count'; readonly seats: number; readonly ticketsIncluded: number }
  /** The quantity of a line with seats follows from its seats. */
  | { readonly reason: 'seated_line' };

/** Why a seat map is not saved. */
export type SeatMapRefusal =
  | { readonly outcome: 'missing' | 'code_taken' }
  /** Members have these seats, and the new version does not have them. */
  | { readonly outcome: 'seats_lost'; readonly seats: readonly string[] }
  /** So many rows of a members' map lose seats at once. */
  | { readonly outcome: 'too_many_rows'; readonly rows: number }
  /** The map has another version than the expected one. */
  | { readonly outcome: 'version_changed'; readonly version: number };
