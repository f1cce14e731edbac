import type { Clock } from './clock.ts';

const format = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
});

/**
 * The time of the machine in whole seconds, also where `Date` shows another: `npm run clock` moves the time of the service, not that of a
 * receiver on the same machine. Intl asks the engine.
 */
export const machineClock: Clock = {
  nowMs() {
    const parts = new Map(format.formatToParts().map(({ type, value }) => [type, Number(value)]));
    const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  },
};
