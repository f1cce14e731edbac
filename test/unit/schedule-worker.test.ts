import { afterEach, describe, expect, it, vi } from 'vitest';
import { scheduleWorker } from '../../shared/workers/batches.ts';
import { lambdaContext } from '../../tools/fixtures/api-event.ts';
import { printedLines } from '../support/printed-lines.ts';

afterEach(() => vi.unstubAllEnvs());

const scheduled = { 'detail-type': 'Scheduled Event', source: 'aws.events' };
const changed = { 'detail-type': 'event.updated', source: 'gateline' };

describe('a worker with a schedule that events invoke too', () => {
  const run = (event: unknown, options: Parameters<typeof scheduleWorker>[1]) =>
    printedLines(() => scheduleWorker(async () => {}, options)(event, lambdaContext()));

  it('counts the runs of its schedule, so that an alarm sees when the schedule is off', async () => {
    const { functionName: operation } = lambdaContext();
    expect(await run(scheduled, { alsoAfterEvents: true })).toMatchObject([{ operation, ScheduledRun: 1 }]);
    expect(await run(changed, { alsoAfterEvents: true })).toEqual([]);
  });

  it('that no event invokes counts nothing: its invocations are the runs', async () => {
    expect(await run(scheduled, {})).toEqual([]);
  });
});
