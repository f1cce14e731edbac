import { ping } from '../../../shared/data/table/ping.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { health } from '../../../shared/operations/service/health.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof health> = async (_input, { table, clock }) => {
  await ping(table);
  return { object: 'health', status: 'ok', time: unixSeconds(clock) };
};

export const handler = pipeline(health, handle);
