import { problems } from '../../shared/operations/problems.ts';

interface Routed {
  readonly method: string;
  readonly path: string;
}

const methodOrder: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const listOf = new Intl.ListFormat('en-GB');
const advice = 'GET /v1/openapi.json lists all operations.';

/** For a request that no mapping template sees. */
export const unknownRouteMessage = `No such path, or the path does not support this method. ${advice}`;

/**
 * The body of the response to a request that no route takes, as a mapping template of API Gateway: `proxy` is the path of the request.
 * A known path gets here if it does not have the method (ADR 0009), so the message names those that it has.
 */
export function unknownRouteTemplate(routes: readonly Routed[]): string {
  const branches = [...Map.groupBy(routes, ({ path }) => path)]
    .toSorted(([one], [other]) => compare(literalFirst(one), literalFirst(other)))
    .map(([path, its]) => `if($input.params("proxy").matches("${patternOf(path)}"))${messageOf(its)}`);
  const message = `#${branches.join('#else')}#{else}No such path.#end ${advice}`;
  const { type } = problems.route_not_found;
  return JSON.stringify({
    error: { type, code: 'route_not_found', message: '%', param: null, request_id: '$context.extendedRequestId' },
  }).replace('%', () => message);
}

const compare = (one: string, other: string): number => Number(one > other) - Number(one < other);

/** Sorts `/members/fulfilments` before `/members/{id}`, because the first branch that matches counts. */
const literalFirst = (path: string): string => path.replaceAll('{', '~');

/** Without anchors: `matches` compares the whole path, which has no first slash here. */
function patternOf(path: string): string {
  return `${path
    .slice(1)
    .replaceAll('.', '[.]')
    .replace(/\{\w+\}/g, '[^/]+')}/?`;
}

function messageOf(routes: readonly Routed[]): string {
  const methods = routes.map(({ method }) => method);
  const sorted = methodOrder.filter((method) => methods.some((one) => one === method));
  return `This path does not support this method, only ${listOf.format(sorted)}.`;
}
