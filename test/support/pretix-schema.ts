/**
 * The format that pretix publishes for its seating plans (version 0.0.1), in our words: what a plan must have, and that it may have
 * nothing else. Its editor writes more than that.
 */
const closed = (required: readonly string[], properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
});
const text = { type: 'string' };
const whole = { type: 'integer' };
const listOf = (items: object) => ({ type: 'array', items });
const position = closed(['x', 'y'], { x: whole, y: whole });

const seat = closed(['seat_guid', 'seat_number', 'position', 'category'], {
  seat_guid: text,
  seat_number: text,
  position,
  category: text,
});
const row = closed(['row_number', 'seats'], {
  row_number: text,
  seats: listOf(seat),
  number_of_seats: whole,
  seats_spacing: whole,
  position,
});
const area = closed(['width', 'height', 'position'], {
  color: text,
  border_color: text,
  width: whole,
  height: whole,
  position,
  rotation: { type: 'number' },
  text,
});
const zone = closed(['position', 'rows'], {
  name: text,
  displayed: { type: 'boolean' },
  position,
  rows: listOf(row),
  areas: listOf(area),
});

export const pretixSchema = closed(['name', 'zones', 'categories'], {
  name: text,
  zones: listOf(zone),
  categories: listOf(closed(['name'], { name: text, color: text })),
  size: closed(['width', 'height'], { width: whole, height: whole }),
});
