import type { APIGatewayProxyEvent } from 'aws-lambda';

/** Finds a request header by its lower-case name. Header names are case-insensitive. */
export function getHeader(event: APIGatewayProxyEvent, name: string): string | undefined {
  const entry = Object.entries(event.headers ?? {}).find(([key]) => key.toLowerCase() === name);
  return entry?.[1];
}

/** Every value of a header that may be sent more than once. */
export function getHeaderValues({ headers, multiValueHeaders }: APIGatewayProxyEvent, name: string): string[] {
  return Object.entries(multiValueHeaders ?? headers ?? {})
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, values]) => values ?? []);
}

/** Undefined when none was sent. Several are joined into one text that no provider issued, so it fails verification. */
export function getSsoToken(event: APIGatewayProxyEvent): string | undefined {
  return getHeaderValues(event, 'x-sso-token').join(' ').trim() || undefined;
}

/**
 * The URL that the client called, up to where the route begins. A custom domain or a stage adds a path before the route.
 * API Gateway accepts a trailing slash for the same route, and leaves it in the path.
 */
export function getBaseUrl(event: APIGatewayProxyEvent): string {
  const scheme = getHeader(event, 'x-forwarded-proto') === 'http' ? 'http' : 'https';
  const { domainName = 'localhost', path } = event.requestContext;
  const routeLength = event.resource.split('/').length - 1;
  const basePath = path.replace(/\/+$/, '').split('/').slice(0, -routeLength).join('/');
  return `${scheme}://${domainName}${basePath}`;
}

/** The id that API Gateway assigns. The client can choose the other one, `requestId`, and could forge log lines with it. */
export function getRequestId(event: APIGatewayProxyEvent): string {
  return event.requestContext.extendedRequestId ?? event.requestContext.requestId;
}
