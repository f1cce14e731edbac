/** A provider that has not responded for hours is not asked every minute. The maximum is short enough not to delay an alarm. */
const minPauseSeconds = 60;
const maxPauseSeconds = 900;

/** The pause is as long as the checkout has taken so far, within the limits. */
export function retryPauseSeconds(ageSeconds: number): number {
  return Math.min(maxPauseSeconds, Math.max(minPauseSeconds, ageSeconds));
}
