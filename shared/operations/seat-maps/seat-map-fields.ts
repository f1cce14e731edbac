import * as v from 'valibot';
import { aisleGaps } from '../../domain/seats/aisles.ts';
import { seatKinds, seatMapLimits } from '../../domain/seats/seat-map.ts';
import { Title } from '../schemas/catalogue-text.ts';
import { dryRunField } from '../schemas/dry-run.ts';
import { field } from '../schemas/fields.ts';
import { text } from '../schemas/text.ts';

export const seatMapPath = v.strictObject({ seat_map_id: field(v.string(), 'The seat map.') });

const zone = (description: string) => v.optional(field(v.nullable(text(seatMapLimits.name)), description), null);

const Row = v.strictObject({
  row: field(text(seatMapLimits.label), 'Name of the row, such as A or 12, without a slash.'),
  seats: field(
    text(2_000),
    `The seats from left to right: \`1-24\`, \`24-1\`, \`A1-A24\` or \`A1-24\`, \`1,3,5\`, or \`1-12|13-24\` with an aisle after 12. At most ${seatMapLimits.seatsInRow}.`,
  ),
  zone: zone('The zone of the row; that of the section if it is absent.'),
});

const Section = v.strictObject({
  section: field(text(seatMapLimits.name), 'Name of the section, such as Stalls, without a slash.'),
  zone: zone('The zone of the section; its name if it is absent.'),
  rows: field(v.pipe(v.array(Row), v.minLength(1), v.maxLength(seatMapLimits.rows)), 'The rows, from the front.'),
});

const Kinds = v.strictObject({
  kind: field(v.picklist(seatKinds), 'The kind of the seats.'),
  seats: field(v.pipe(v.array(text(100)), v.minLength(1), v.maxLength(1_000)), 'The seats, as `section/row/seat`.'),
  companion_of: v.optional(
    field(v.nullable(text(100)), 'The wheelchair place that companion seats belong to, as `section/row/seat`.'),
    null,
  ),
});

/** About 20,000 seats of a drawn plan. What is larger is sent as `sections`, in which 100,000 seats have 1 MB. */
export const maxMapBytes = 4 * 1_048_576;

/** What a client sends of a seat map, on creation and later. */
export const seatMapFields = {
  ...dryRunField,
  title: field(Title, 'Title of the map, such as Main hall.'),
  plan: v.optional(
    field(
      v.nullable(v.record(v.string(), v.unknown())),
      `A seating plan in the JSON schema of pretix, as its editor saves it. Its zones become sections and its categories zones. A gap of more than ${aisleGaps} usual gaps (the median) of its row is an aisle; pieces of a row with one name are one row with an aisle between them. \`dry_run\` names the rows of a section that have other aisles than most. Send either plan or sections.`,
    ),
    null,
  ),
  sections: v.optional(
    field(
      v.nullable(v.pipe(v.array(Section), v.minLength(1), v.maxLength(seatMapLimits.sections))),
      'The sections, from the stage on. Send either plan or sections.',
    ),
    null,
  ),
  kinds: v.optional(
    field(
      v.nullable(v.pipe(v.array(Kinds), v.maxLength(1_000))),
      'The seats that are not standard. Companion seats are sold together with their wheelchair place.',
    ),
    null,
  ),
};

const body = v.strictObject(seatMapFields);
export type SeatMapBody = v.InferOutput<typeof body>;
