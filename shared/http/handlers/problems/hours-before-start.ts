/** Until when a ticket could change, in words. */
export function hoursBeforeStart(hours: number): string {
  return hours === 0 ? 'the start of the event' : `${hours} hours before the start of the event`;
}
