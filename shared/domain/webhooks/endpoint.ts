/** The limits of endpoints. */
export const maxEndpoints = 20;
export const maxRatePerSecond = 500;
export const defaultRatePerSecond = 50;

/** For this long a secret that was replaced still signs, so a receiver can change its secret without missing events. */
export const secretOverlapSeconds = 86_400;
/** So many sign at the most: each is another signature in a header. */
export const maxSecrets = 10;

export type EndpointStatus = 'enabled' | 'disabled';

/** A text of another form cannot be the id of an endpoint. */
export function isEndpointId(text: string): boolean {
  return /^we_[0-9A-Z]{26}$/.test(text);
}

/**
 * Returns the address as the URL parser reads it, which is the address that is called: a host in Unicode or followed by a
 * backslash looks like a different host.
 */
export function normalizeUrl(text: string): string {
  return new URL(text).href;
}

/** The fields of an endpoint that an organisation can change. */
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
 * Returns the endpoint with these changes, or the same object if there is nothing to write. `status: enabled` is written even
 * if the endpoint is already enabled, because it resets the failures.
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

/** Whether a change resets the failures of the endpoint: the organisation enabled it, or its URL has changed. */
export function isStateReset(change: Partial<EndpointSettings>, { before, after }: Changed): boolean {
  return after.status === 'enabled' && (change.status === 'enabled' || before.url !== after.url);
}

function reasonFor(status: EndpointStatus): string | null {
  return status === 'disabled' ? 'Disabled by the organisation.' : null;
}
