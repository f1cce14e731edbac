/** The fields of seat maps and of an event's seats that the pages use. */
export interface SeatMap {
  readonly zones: readonly { readonly zone: string; readonly color: string | null }[];
  readonly sections: readonly {
    readonly section: string;
    readonly rows: readonly {
      /** The seats after which there is an aisle. */
      readonly aisles: readonly string[];
      readonly positions: readonly (readonly number[])[] | null;
    }[];
  }[];
}

type SeatKind = 'standard' | 'wheelchair' | 'companion' | 'restricted_view';

/** A section as retrieve-event-seats returns it when the request names it. */
export interface SeatSection {
  readonly section: string;
  readonly free: number;
  readonly rows: readonly {
    readonly row: string;
    /** One character for each seat: `.` is free. */
    readonly seats: string;
    readonly labels: readonly string[];
    readonly kinds: readonly SeatKind[];
    readonly zones: readonly string[];
  }[];
  readonly zones: readonly { readonly zone: string; readonly price_ids: readonly number[] }[];
}

export interface EventSeats<Section = SeatSection> {
  readonly sections: readonly Section[];
}

/** What an error says about seats. */
export interface RefusedSeats {
  readonly seats: readonly string[];
  /** Takes that are allowed instead. */
  readonly instead: readonly (readonly string[])[];
}

/** A seat with everything that the plan and the list show of it. */
export interface Seat {
  /** `section/row/seat`, as the API names it. */
  readonly name: string;
  readonly section: string;
  readonly row: string;
  readonly label: string;
  readonly zone: string;
  readonly kind: SeatKind;
  /** Whether it can be chosen: nobody has it, and one of its prices is on sale. */
  readonly isFree: boolean;
  readonly x: number;
  readonly y: number;
}
