/**
 * The format that pretix publishes for its seating plans (of release 2026.8.0), in our words: what a plan must have, and that it may have
 * nothing else.
 */
const closed = (required: readonly string[], properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
});
const text = { type: 'string' };
const textOrNull = { type: ['string', 'null'] };
const number = { type: 'number' };
const whole = { type: 'integer' };
const listOf = (items: object) => ({ type: 'array', items });
const position = closed(['x', 'y'], { x: number, y: number });

const seat = closed(['seat_guid', 'seat_number', 'position', 'category'], {
  seat_guid: { type: 'string', pattern: '^[^ ].*[^ ]$' },
  seat_number: text,
  uuid: text,
  start_direction: textOrNull,
  radius: number,
  position,
  category: text,
});
const row = closed(['row_number', 'seats'], {
  row_number: text,
  row_label: textOrNull,
  seat_label: textOrNull,
  uuid: text,
  seats: listOf(seat),
  row_number_position: { enum: ['start', 'end', 'both', null] },
  position,
});
const area = closed([], {
  color: text,
  border_color: text,
  rotation: number,
  position,
  uuid: text,
  shape: { enum: ['polygon', 'rectangle', 'ellipse', 'circle', 'text'] },
  polygon: closed(['points'], { points: listOf(position) }),
  rectangle: closed(['width', 'height'], { width: number, height: number }),
  ellipse: closed(['radius'], { radius: position }),
  circle: closed(['radius'], { radius: number }),
  text: closed(['text', 'position'], { text, color: text, size: number, position }),
});
const zone = closed(['position', 'rows'], {
  name: text,
  zone_id: text,
  uuid: text,
  position,
  rows: listOf(row),
  areas: listOf(area),
});

export const pretixSchema = closed(['name', 'zones', 'categories', 'size'], {
  name: text,
  zones: listOf(zone),
  categories: listOf(closed(['name'], { name: text, color: text })),
  size: closed(['width', 'height'], { width: whole, height: whole }),
});
