import { moveTime, type RunTime } from '../run/control.ts';
import { CommandError, type RunningGateline } from './running.ts';

export const clockUsage = `npm run clock              shows the time of the local run
npm run clock -- +15m      moves it forward: s, m, h, d or w, also several such as +1d12h

Baskets expire, retries become due, request limits reset and memberships run out as they would after that time. The time only moves
forward and is kept with the data; delete the data folder to return to the time of this machine. The demo sells events of the next
weeks only: after them, create your own.`;

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** The seconds of a duration such as +15m or +1d12h. */
export function parseDuration(text: string): number {
  if (!/^\+(\d{1,9}[smhdw])+$/.test(text)) {
    throw new CommandError(
      `${text} is not a duration. Use a number with s, m, h, d or w, such as +15m.\n\n${clockUsage}`,
    );
  }
  return [...text.matchAll(/(\d+)([smhdw])/g)].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (secondsOf[unit] ?? 0),
    0,
  );
}

/** Shows the time of the local run, and moves it first if a duration is given. Returns the text to print. */
export async function runClock(running: RunningGateline, [duration, ...rest]: readonly string[]): Promise<string> {
  if (rest.length > 0) throw new CommandError(clockUsage);
  return describe(await moveTime(running.connection, duration === undefined ? 0 : parseDuration(duration)));
}

function describe({ now_ms, ahead_ms }: RunTime): string {
  const time = new Date(now_ms).toISOString().replace('.000', '');
  if (ahead_ms === 0) return `${time}, the time of this machine`;
  return `${time}, ${inWords(Math.abs(ahead_ms))} ${ahead_ms > 0 ? 'ahead of' : 'behind'} this machine`;
}

function inWords(ms: number): string {
  let left = Math.round(ms / 1000);
  const parts = Object.entries(secondsOf)
    .toReversed()
    .flatMap(([unit, seconds]) => {
      const count = Math.floor(left / seconds);
      left -= count * seconds;
      return count > 0 ? [`${count}${unit}`] : [];
    });
  return parts.join('');
}
