import * as v from 'valibot';
import { seatMapsAccess } from '../../data/seat-maps/access.ts';
import { defineOperation } from '../operation.ts';
import { dryRunQuery } from '../schemas/dry-run.ts';
import { SavedSeatMap } from '../schemas/seat-map.ts';
import { maxMapBytes, seatMapFields, seatMapPath } from './seat-map-fields.ts';

export const updateSeatMap = defineOperation({
  id: 'update-seat-map',
  resource: 'seat-maps',
  summary: 'Update a seat map',
  description: `Makes a new version of the map with the seats that you send. No version ever changes: an event keeps the one it was made with.
A version without a seat that a member has is refused (409 \`already_sold\`): give the member another seat first.
With \`dry_run\` nothing is written, and the response has \`warnings\`.`,
  method: 'PUT',
  paths: ['/v1/seat_maps/{seat_map_id}'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: {
    params: seatMapPath,
    ifMatch: true,
    query: dryRunQuery,
    body: v.strictObject(seatMapFields),
    maxBodyBytes: maxMapBytes,
  },
  output: { schema: SavedSeatMap, problems: ['parameter_conflict', 'already_sold'] },
  effects: { access: [seatMapsAccess.updateSeatMap], cannotBeUndone: false },
});
