import * as v from 'valibot';
import { membershipAccess } from '../../data/membership/access.ts';
import { seatMapsAccess } from '../../data/seat-maps/access.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { SeatMap } from '../schemas/seat-map.ts';
import { seatMapPath } from './seat-map-fields.ts';

export const retrieveSeatMap = defineOperation({
  id: 'retrieve-seat-map',
  resource: 'seat-maps',
  summary: 'Retrieve a seat map',
  description: `Returns the map with its sections, rows and seats, in the latest version or in the one that \`version\` names. A version never changes, so
a browser keeps it when the request names it.`,
  method: 'GET',
  paths: ['/v1/seat_maps/{seat_map_id}'],
  auth: {
    kind: 'metered',
    scope: 'read',
    orScope: 'catalogue:write',
    storefront: { sees: 'the seat map', catalogue: true, keptForeverWith: 'version' },
  },
  input: {
    params: seatMapPath,
    query: v.strictObject({
      version: v.optional(
        field(v.pipe(v.number(), v.integer(), v.minValue(1)), 'The version to return; the latest if it is absent.'),
      ),
    }),
  },
  output: { schema: SeatMap },
  effects: { access: [membershipAccess.readSeatMap, seatMapsAccess.readMapVersion] },
});
