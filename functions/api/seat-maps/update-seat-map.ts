import { updateSeatMap as update } from '../../../shared/data/seat-maps/seat-maps.ts';
import { seatMapOf } from '../../../shared/http/handlers/input/seat-map-input.ts';
import { parseSeatMapId, unwrapSavedSeatMap } from '../../../shared/http/handlers/problems/seat-map-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { savedSeatMapResource } from '../../../shared/mappers/seat-map.ts';
import { updateSeatMap } from '../../../shared/operations/seat-maps/update-seat-map.ts';

export const handle: Handle<typeof updateSeatMap> = async ({ params, query, body }, deps) => {
  const { caller, table, ifMatch, receipt } = deps;
  const seatMapId = parseSeatMapId(params.seat_map_id);
  const map = seatMapOf(body);
  const dryRun = query.dry_run ?? body.dry_run ?? false;
  const saved = await update(table, caller.orgId, seatMapId, {
    title: body.title,
    map,
    dryRun,
    ifMatch,
    sideEffects: (record) => receipt(savedSeatMapResource(record, map, dryRun)),
  });
  return savedSeatMapResource(unwrapSavedSeatMap(saved, body.plan === null ? 'sections' : 'plan'), map, dryRun);
};

export const handler = pipeline(updateSeatMap, handle);
