/** A provider that has not responded for hours is not asked every minute. The maximum is short enough not to delay an alarm. */
const minPauseSeconds = 60;
const maxPauseSeconds = 900;

/** The pause is as long as the checkout has taken so far, within the limits. */
export function retryPauseSeconds(ageSeconds: number): number {
  return Math.min(maxPauseSeconds, Math.max(minPauseSeconds, ageSeconds));
}

/** A fault of an account may last for days, and nobody waits for the charge. It is made within so long after the fault has ended. */
const maxRefusedPauseSeconds = 6 * 3_600;

/** The pause before a charge is tried again that was refused for another reason than its card: as long as it has been due, so it doubles. */
export function refusedPauseSeconds(dueSeconds: number): number {
  return Math.min(maxRefusedPauseSeconds, Math.max(minPauseSeconds, dueSeconds));
}
