import type { Clock } from './clock.ts';

let format: Intl.DateTimeFormat | undefined;

/** Made with the first use: it takes a third of a start, and only a local run uses it. */
function formatOfTimes(): Intl.DateTimeFormat {
  format ??= new Intl.DateTimeFormat('en-US', {
    timeZone: 'UTC',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return format;
}

/**
 * The time of the machine in whole seconds, also where `Date` shows another: `npm run clock` moves the time of the service, not that of a
 * receiver on the same machine. Intl asks the engine.
 */
export const machineClock: Clock = {
  nowMs() {
    const times = formatOfTimes().formatToParts();
    const parts = new Map(times.map(({ type, value }) => [type, Number(value)]));
    const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  },
};
