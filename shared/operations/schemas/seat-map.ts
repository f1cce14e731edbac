import * as v from 'valibot';
import { seatKinds } from '../../domain/seats/seat-map.ts';
import { warningsField } from './dry-run.ts';
import { Count, field, Id, resource } from './fields.ts';

const common = {
  seat_map_id: field(Id, 'Unique identifier of the seat map.'),
  code: field(v.string(), "The organisation's own short name for the map, by which imports identify it."),
  title: field(v.string(), 'Title of the map, such as Main hall.'),
  version: field(
    Count,
    'The version of the seats, from 1. Every update makes a new one, and no version ever changes. 0: the map has a name and no seats yet.',
  ),
  seats: field(Count, 'How many seats the map has.'),
};

export const SeatMapSummary = resource('SeatMapSummary', 'A seat map without its seats.', common);
export type SeatMapSummary = v.InferOutput<typeof SeatMapSummary>;

const SeatMapZone = resource('SeatMapZone', 'Seats that cost the same. A price category of an event sells one zone.', {
  zone: field(v.string(), 'Name of the zone.'),
  color: field(v.nullable(v.string()), 'The colour of its seats in the plan; null if it has none.'),
  seats: field(Count, 'How many seats the zone has.'),
});

const SeatMapRow = resource('SeatMapRow', 'A row of a section.', {
  row: field(v.string(), 'Name of the row.'),
  zone: field(v.nullable(v.string()), 'The zone of the seats; null if they are in several.'),
  zones: field(v.nullable(v.array(v.string())), 'The zone of each seat; null if all have the same.'),
  seats: field(v.array(v.string()), 'The names of the seats, side by side. A seat is named `section/row/seat`.'),
  aisles: field(v.array(v.string()), 'The seats after which there is an aisle.'),
  positions: field(
    v.nullable(v.array(v.array(v.number()))),
    'x and y of each seat in the plan; null if the map was made from a list of rows.',
  ),
});

const SeatMapSection = resource('SeatMapSection', 'A section of a seat map, with its rows from the front.', {
  section: field(v.string(), 'Name of the section.'),
  zone: field(v.nullable(v.string()), 'The zone of the seats; null if they are in several.'),
  rows: field(v.array(SeatMapRow), 'The rows, from the front.'),
});

const SeatMapKinds = resource('SeatMapKinds', 'Seats that are not standard.', {
  kind: field(v.picklist(seatKinds), 'The kind of the seats.'),
  seats: field(v.array(v.string()), 'The seats, as `section/row/seat`.'),
  companion_of: field(
    v.nullable(v.string()),
    'The wheelchair place that companion seats belong to; null for other kinds.',
  ),
});

const zones = field(v.array(SeatMapZone), 'The zones of the map.');

export const SavedSeatMap = resource('SavedSeatMap', 'A seat map as it was saved. retrieve-seat-map shows its seats.', {
  ...common,
  zones,
  ...warningsField,
});
export type SavedSeatMap = v.InferOutput<typeof SavedSeatMap>;

export const SeatMap = resource('SeatMap', 'The seats of a place, in one version.', {
  ...common,
  zones,
  sections: field(v.array(SeatMapSection), 'The sections with their rows and seats.'),
  kinds: field(v.array(SeatMapKinds), 'The seats that are not standard.'),
});
export type SeatMap = v.InferOutput<typeof SeatMap>;
