import { readSeatMap } from '../../../shared/data/membership/config.ts';
import { readMapVersion } from '../../../shared/data/seat-maps/seat-maps.ts';
import { noSeats } from '../../../shared/domain/seats/seat-map.ts';
import { parseSeatMapId } from '../../../shared/http/handlers/problems/seat-map-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { seatMapResource } from '../../../shared/mappers/seat-map.ts';
import { retrieveSeatMap } from '../../../shared/operations/seat-maps/retrieve-seat-map.ts';

export const handle: Handle<typeof retrieveSeatMap> = async ({ params, query }, { caller, table }) => {
  const { orgId } = caller;
  const seatMapId = parseSeatMapId(params.seat_map_id);
  const record = await readSeatMap(table, orgId, seatMapId);
  if (record === undefined) throw notFound('seat map');
  const version = query.version ?? record.mapVersion;
  const map = version === 0 ? noSeats : await readMapVersion(table, orgId, seatMapId, version);
  if (map === undefined) throw notFound('version of the seat map');
  return seatMapResource(record, version, map);
};

export const handler = pipeline(retrieveSeatMap, handle);
