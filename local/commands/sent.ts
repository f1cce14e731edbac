/**
 * Waits until the service has sent the event, for a scenario that must not end before. It can do something from time to time, and name the
 * order or member that the event is about, or words of it: a clock that moves makes the event happen to others, too.
 */
export type Sent = (meanwhile?: () => Promise<unknown>, about?: number | string) => Promise<void>;
