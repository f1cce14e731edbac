import type { Organisation } from '../../site/browser/resources.ts';
import { config } from '../../site/browser/state/config.ts';
import { ApiError, answerOf, retried, send } from '../../site/browser/state/request.ts';

interface OfficeCall {
  readonly body?: object;
  /** The version that was shown: the change is refused if it is no longer the current one. */
  readonly version?: number;
  /** The same value for every attempt: something is created once, whatever happens to the answers. */
  readonly idempotencyKey?: string;
}

/** Calls the API through the office's server, which knows who is signed in and adds the key of the office. */
export function officeCall<Answer>(method: string, path: string, options: OfficeCall = {}): Promise<Answer> {
  const { body, version, idempotencyKey } = options;
  const headers = {
    ...(version !== undefined && { 'If-Match': `"${version}"` }),
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
  };
  const request = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const answer = retried(async () => answerOf<Answer>(await send(`/office/api${path}`, request)), 3);
  answer.catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'not_signed_in') announceSignedOut();
  });
  return answer;
}

/** Every item of a list that has pages. */
export async function everyItem<Item>(path: string): Promise<readonly Item[]> {
  const query = path.includes('?') ? '&' : '?';
  const items: Item[] = [];
  for (let page = 1; ; page += 1) {
    const { data, has_more } = await officeCall<{ data: readonly Item[]; has_more: boolean }>(
      'GET',
      `${path}${query}limit=100&page_number=${page}`,
    );
    items.push(...data);
    if (!has_more) return items;
  }
}

/** Every item of a list that has a cursor. The path has a query. */
export async function everyPage<Item>(path: string): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { readonly data: readonly Item[]; readonly next_cursor: string | null } = await officeCall(
      'GET',
      `${path}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    items.push(...page.data);
    cursor = page.next_cursor;
  }
  return items;
}

/** The organisation, as everyone may read it: the sign-in has its name and colours, too. */
export function ownOrganisation(): Promise<Organisation> {
  const { apiUrl, storefrontToken } = config();
  const headers = { Authorization: `Bearer ${storefrontToken}` };
  return retried(async () => answerOf<Organisation>(await send(`${apiUrl}/v1/organisation`, { headers })), 3);
}

export interface Staff {
  readonly name: string;
}

/** Who is signed in; undefined if nobody is. */
export async function currentStaff(): Promise<Staff | undefined> {
  const response = await send('/office/session', {});
  return response.status === 401 ? undefined : answerOf<Staff>(response);
}

/** Signs in with a token of the identity provider. The office's server decides whether it is one of the staff. */
export async function signInWith(token: string): Promise<Staff> {
  return answerOf<Staff>(await send('/office/session', { method: 'POST', body: token }));
}

export async function signOut(): Promise<void> {
  await send('/office/session', { method: 'DELETE' });
  location.assign('/office');
}

const signedOut = 'office:signed-out';
const announceSignedOut = (): boolean => window.dispatchEvent(new Event(signedOut));

/** Calls this when the session has ended. Returns what stops it. */
export function onSignedOut(listener: () => void): () => void {
  window.addEventListener(signedOut, listener);
  return () => window.removeEventListener(signedOut, listener);
}
