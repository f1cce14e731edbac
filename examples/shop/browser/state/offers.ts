const name = 'offered-tickets';

const tokens = (): Readonly<Record<string, string>> => JSON.parse(localStorage.getItem(name) ?? '{}');

/**
 * The service shows the token of an offer once, so this browser keeps it until the offer ends: the giver can send the link again. The
 * token is behind the #, so no server sees it.
 */
export function keepOffer(transferId: string, token: string): void {
  localStorage.setItem(name, JSON.stringify({ ...tokens(), [transferId]: token }));
}

export function forgetOffer(transferId: string): void {
  const { [transferId]: _, ...others } = tokens();
  localStorage.setItem(name, JSON.stringify(others));
}

/** Where the friend accepts the ticket; undefined if it was offered in another browser. */
export function acceptAddress(transferId: string): string | undefined {
  const accept_token = tokens()[transferId];
  return accept_token && `${location.origin}/accept#${new URLSearchParams({ transfer_id: transferId, accept_token })}`;
}
