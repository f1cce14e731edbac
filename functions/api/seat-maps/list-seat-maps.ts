import { readSeatMaps } from '../../../shared/data/seat-maps/seat-maps.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { seatMapSummary } from '../../../shared/mappers/seat-map.ts';
import { listSeatMaps } from '../../../shared/operations/seat-maps/list-seat-maps.ts';

export const handle: Handle<typeof listSeatMaps> = async (_input, { caller, table, baseUrl }) => ({
  object: 'seat_maps',
  url: `${baseUrl}${listSeatMaps.paths[0]}`,
  has_more: false,
  data: (await readSeatMaps(table, caller.orgId)).map(seatMapSummary),
});

export const handler = pipeline(listSeatMaps, handle);
