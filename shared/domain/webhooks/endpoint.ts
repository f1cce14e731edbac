/** What the service allows of an endpoint. */
export const maxEndpoints = 20;
export const maxRatePerSecond = 500;
export const usualRatePerSecond = 50;

/** Both the new and the former secret sign for so long, so that a receiver can change over without missing anything. */
export const secretOverlapSeconds = 86_400;

export type EndpointStatus = 'enabled' | 'disabled';

/** Whatever does not look like one names no endpoint. */
export function isEndpointId(text: string): boolean {
  return /^we_[0-9A-Z]{26}$/.test(text);
}

/**
 * The address as the URL parser reads it, which is the one that is called: a host in Unicode or with a backslash behind it
 * looks like another than it is.
 */
export function plainUrl(text: string): string {
  return new URL(text).href;
}

/** What an organisation may change about an endpoint. */
export interface EndpointSettings {
  readonly url: string;
  readonly types: readonly string[];
  readonly description: string | null;
  readonly ratePerSecond: number;
  readonly status: EndpointStatus;
}

interface Endpoint extends EndpointSettings {
  readonly disabledReason: string | null;
  readonly updatedUnix: number | null;
}

/**
 * The endpoint with these changes; the very same endpoint when there is nothing to write. That it is enabled is worth writing
 * also when it is so already: it ends what is known of its failures.
 */
export function changedEndpoint<E extends Endpoint>(current: E, change: Partial<EndpointSettings>, nowUnix: number): E {
  const changed = { ...current, ...change };
  if (JSON.stringify(changed) === JSON.stringify(current)) return change.status === 'enabled' ? changed : current;
  const reason = changed.status === current.status ? current.disabledReason : reasonFor(changed.status);
  return { ...changed, disabledReason: reason, updatedUnix: nowUnix };
}

interface Changed {
  readonly before: EndpointSettings;
  readonly after: EndpointSettings;
}

/** Whether what is known of the endpoint's failures no longer counts: its organisation says that it is enabled, or it has moved. */
export function isFreshStart(change: Partial<EndpointSettings>, { before, after }: Changed): boolean {
  return after.status === 'enabled' && (change.status === 'enabled' || before.url !== after.url);
}

function reasonFor(status: EndpointStatus): string | null {
  return status === 'disabled' ? 'Disabled by the organisation.' : null;
}
