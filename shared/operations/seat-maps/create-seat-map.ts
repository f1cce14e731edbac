import * as v from 'valibot';
import { seatMapsAccess } from '../../data/seat-maps/access.ts';
import { seatMapLimits } from '../../domain/seats/seat-map.ts';
import { defineOperation } from '../operation.ts';
import { optionalCode } from '../schemas/catalogue-text.ts';
import { dryRunQuery } from '../schemas/dry-run.ts';
import { SavedSeatMap } from '../schemas/seat-map.ts';
import { maxMapBytes, seatMapFields } from './seat-map-fields.ts';

export const createSeatMap = defineOperation({
  id: 'create-seat-map',
  resource: 'seat-maps',
  summary: 'Create a seat map',
  description: `Creates a map of numbered seats, from a list of sections and rows or from a seating plan that was drawn with pretix's editor. A seat is
named \`section/row/seat\`, so no name contains a slash. A map has at most ${seatMapLimits.seats} seats, and a row at most ${seatMapLimits.seatsInRow}.

Seats of one zone cost the same: each price category of an event sells one zone. With \`dry_run\` nothing is written, and the response has
\`warnings\`.`,
  method: 'POST',
  paths: ['/v1/seat_maps'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: {
    query: dryRunQuery,
    body: v.strictObject({ ...seatMapFields, code: optionalCode('seat map') }),
    maxBodyBytes: maxMapBytes,
  },
  output: { status: 201, schema: SavedSeatMap, problems: ['parameter_conflict', 'code_taken'] },
  effects: { access: [seatMapsAccess.createSeatMap], cannotBeUndone: false },
});
