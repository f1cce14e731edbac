import type { APIGatewayProxyEvent } from 'aws-lambda';

/** A request header by its lower-case name, whatever case the client sent it in. */
export function getHeader(event: APIGatewayProxyEvent, name: string): string | undefined {
  const found = Object.entries(event.headers ?? {}).find(([key]) => key.toLowerCase() === name);
  return found?.[1];
}

/** Undefined when none was sent. Of two nobody can say which one is meant: together they are one that no provider made. */
export function getSsoToken({ headers, multiValueHeaders }: APIGatewayProxyEvent): string | undefined {
  const all = Object.entries(multiValueHeaders ?? headers ?? {})
    .filter(([name]) => name.toLowerCase() === 'x-sso-token')
    .flatMap(([, values]) => values ?? []);
  return all.join(' ').trim() || undefined;
}

/**
 * The address that the client called, up to where the route begins: behind a custom domain or a stage there is more before it.
 * API Gateway takes a slash at the end for the same route, and leaves it in the path.
 */
export function getBaseUrl(event: APIGatewayProxyEvent): string {
  const scheme = getHeader(event, 'x-forwarded-proto') === 'http' ? 'http' : 'https';
  const { domainName = 'localhost', path } = event.requestContext;
  const routeLength = event.resource.split('/').length - 1;
  const before = path.replace(/\/+$/, '').split('/').slice(0, -routeLength).join('/');
  return `${scheme}://${domainName}${before}`;
}

/** The id that API Gateway gives a request. The other one, `requestId`, can be chosen by the client, who could forge log lines. */
export function getRequestId(event: APIGatewayProxyEvent): string {
  return event.requestContext.extendedRequestId ?? event.requestContext.requestId;
}
