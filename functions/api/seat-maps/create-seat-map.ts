import { newCode } from '../../../shared/catalogue/new-code.ts';
import { createSeatMap as create } from '../../../shared/data/seat-maps/seat-maps.ts';
import { seatMapOf } from '../../../shared/http/handlers/input/seat-map-input.ts';
import { unwrapSavedSeatMap } from '../../../shared/http/handlers/problems/seat-map-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { savedSeatMapResource } from '../../../shared/mappers/seat-map.ts';
import { createSeatMap } from '../../../shared/operations/seat-maps/create-seat-map.ts';

export const handle: Handle<typeof createSeatMap> = async ({ query, body }, { caller, table, receipt }) => {
  const map = seatMapOf(body);
  const dryRun = query.dry_run ?? body.dry_run ?? false;
  const saved = await create(
    table,
    caller.orgId,
    { title: body.title, code: body.code ?? newCode(), map },
    { dryRun, sideEffects: (record) => receipt(savedSeatMapResource(record, map, dryRun)) },
  );
  return savedSeatMapResource(unwrapSavedSeatMap(saved), map, dryRun);
};

export const handler = pipeline(createSeatMap, handle);
