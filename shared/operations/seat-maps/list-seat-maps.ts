import { seatMapsAccess } from '../../data/seat-maps/access.ts';
import { defineOperation } from '../operation.ts';
import { listOf } from '../schemas/list-envelope.ts';
import { SeatMapSummary } from '../schemas/seat-map.ts';

export const listSeatMaps = defineOperation({
  id: 'list-seat-maps',
  resource: 'seat-maps',
  summary: 'List all seat maps',
  description: 'Returns the seat maps of the organisation without their seats, sorted by title.',
  method: 'GET',
  paths: ['/v1/seat_maps'],
  auth: {
    kind: 'metered',
    scope: 'read',
    orScope: 'catalogue:write',
    storefront: { sees: 'the seat maps of the organisation', catalogue: true },
  },
  output: { schema: listOf('seat_maps', SeatMapSummary) },
  effects: { access: [seatMapsAccess.readSeatMaps] },
});
