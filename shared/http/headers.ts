import type { APIGatewayProxyEvent } from 'aws-lambda';

/** A request header by its lower-case name, whatever case the client sent it in. */
export function headerOf(event: APIGatewayProxyEvent, name: string): string | undefined {
  const found = Object.entries(event.headers ?? {}).find(([key]) => key.toLowerCase() === name);
  return found?.[1];
}

/** The address that the client called, without path or query: also right behind a custom domain or a stage prefix. */
export function baseUrlOf(event: APIGatewayProxyEvent): string {
  const scheme = headerOf(event, 'x-forwarded-proto') ?? 'https';
  const { domainName = 'localhost', path } = event.requestContext;
  const prefix = path.endsWith(event.path) ? path.slice(0, path.length - event.path.length) : '';
  return `${scheme}://${domainName}${prefix}`;
}
