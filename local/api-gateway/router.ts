import type { Route } from './routes.ts';

export interface Match {
  route: Route;
  /** As in the path: a REST API does not decode them. */
  pathParameters: Record<string, string>;
}

interface Node {
  literals: Map<string, Node>;
  parameter: { name: string; node: Node } | undefined;
  /** `{name+}` matches the rest of the path. */
  greedy: { name: string; node: Node } | undefined;
  methods: Map<string, Route>;
}

const emptyNode = (): Node => ({ literals: new Map(), parameter: undefined, greedy: undefined, methods: new Map() });

/** Finds the route of a request. A literal part takes precedence over a parameter, and a parameter over a greedy one. */
export function createRouter(routes: readonly Route[]): (method: string, path: string) => Match | undefined {
  const root = emptyNode();
  for (const route of routes) {
    let node = root;
    for (const part of partsOf(route.resourcePath)) node = child(node, part);
    node.methods.set(route.method, route);
  }
  return (method, path) => {
    const found = find(root, partsOf(path), {});
    const route = found?.node.methods.get(method) ?? found?.node.methods.get('ANY');
    return found === undefined || route === undefined ? undefined : { route, pathParameters: found.pathParameters };
  };
}

/** A REST API treats `/orders/` and `/orders` the same. */
function partsOf(path: string): string[] {
  const trimmed = path.replace(/^\//, '').replace(/\/$/, '');
  return trimmed === '' ? [] : trimmed.split('/');
}

function child(node: Node, part: string): Node {
  const [, name, greedy] = part.match(/^\{(.+?)(\+?)\}$/) ?? [];
  if (name === undefined) {
    const literal = node.literals.get(part) ?? emptyNode();
    node.literals.set(part, literal);
    return literal;
  }
  if (greedy === '+') {
    node.greedy ??= { name, node: emptyNode() };
    return node.greedy.node;
  }
  node.parameter ??= { name, node: emptyNode() };
  return node.parameter.node;
}

interface Found {
  node: Node;
  pathParameters: Record<string, string>;
}

function find(node: Node, parts: readonly string[], pathParameters: Record<string, string>): Found | undefined {
  const [part, ...rest] = parts;
  if (part === undefined) return node.methods.size > 0 ? { node, pathParameters } : undefined;
  const literal = node.literals.get(part);
  const byLiteral = literal && find(literal, rest, pathParameters);
  if (byLiteral) return byLiteral;
  const { parameter, greedy } = node;
  // An empty part is not a value: `/members//notes` has no member id.
  const byParameter =
    parameter && part !== '' && find(parameter.node, rest, { ...pathParameters, [parameter.name]: part });
  if (byParameter) return byParameter;
  return greedy && { node: greedy.node, pathParameters: { ...pathParameters, [greedy.name]: parts.join('/') } };
}
