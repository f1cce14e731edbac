import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Operation } from '../../operations/operation.ts';
import { linkInvalid } from '../auth/auth-problems.ts';
import { getHeader } from '../headers.ts';
import type { Platform } from '../platform.ts';
import { getRequestContext } from '../request-context.ts';

/**
 * Takes the token of a ticket's link out of the query: from here on nothing validates, stores or logs it. Undefined for any other
 * request. With an Authorization header it is an unknown parameter.
 */
export function takeLinkToken({ auth }: Operation, event: APIGatewayProxyEvent): string | undefined {
  const { token, ...query } = event.queryStringParameters ?? {};
  if (!auth.ticketLink || token === undefined || getHeader(event, 'authorization') !== undefined) return undefined;
  const { token: sent = [token], ...others } = event.multiValueQueryStringParameters ?? {};
  event.queryStringParameters = query;
  event.multiValueQueryStringParameters = others;
  return sent.join(' ');
}

/** Authenticates a request with the link of a ticket. The handler checks that the link has not ended. It counts against no limit. */
export async function authenticateLink(platform: Platform, event: APIGatewayProxyEvent, token: string): Promise<void> {
  const link = await platform.verifyLink?.(token);
  if (link === undefined) throw linkInvalid();
  getRequestContext(event).caller = { kind: 'link', orgId: link.orgId, keyId: 'ticket-link', scopes: [], link };
}
