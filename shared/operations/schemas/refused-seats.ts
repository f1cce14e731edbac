import * as v from 'valibot';
import { field, resource } from './fields.ts';

const RefusedSeatsRow = resource('RefusedSeatsRow', 'A row of seats as it is now.', {
  section: field(v.string(), 'Name of the section.'),
  row: field(v.string(), 'Name of the row.'),
  seats: field(v.string(), 'One character for each seat, from left to right: `.` free, `x` taken.'),
});

/** What an error says about seats, so that a page can show the row and offer others. */
export const RefusedSeats = resource('RefusedSeats', 'Why seats are refused, and what is free.', {
  seats: field(v.array(v.string()), 'The seats that are taken, or the one that would be left alone.'),
  rows: field(v.array(RefusedSeatsRow), 'Their rows as they are now.'),
  instead: field(v.array(v.array(v.string())), 'Takes of as many seats that are allowed; empty if a seat is taken.'),
});
export type RefusedSeats = v.InferOutput<typeof RefusedSeats>;
