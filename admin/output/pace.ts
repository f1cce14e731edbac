/** How much of a long command is done. */
export interface Done {
  /** Rows, or other steps. */
  readonly count: number;
  /** The part of the whole, from 0 to 1; undefined if the whole is unknown. */
  readonly share: number | undefined;
}

/** Before this, a rate says little. */
const leastMs = 1_000;

/** Returns a function that says how fast a command is and how long it will still take: `5700 a minute, 2 min left`. */
export function paceSince(nowMs: () => number, showsRate = true): (done: Done) => string {
  const startMs = nowMs();
  return (done) => {
    const elapsedMs = nowMs() - startMs;
    if (elapsedMs < leastMs) return '';
    const { count, share } = done;
    const rate = showsRate ? [`${Math.round((count / elapsedMs) * 60_000)} a minute`] : [];
    const left = share ? [`${durationText((elapsedMs * (1 - share)) / share)} left`] : [];
    return [...rate, ...left].join(', ');
  };
}

/** `40 s`, `3 min`, `2 h 5 min`. */
function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
