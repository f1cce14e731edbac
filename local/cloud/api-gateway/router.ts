interface Routed {
  method: string;
  resourcePath: string;
}

export interface Match<Route extends Routed> {
  route: Route;
  /** As in the path: a REST API does not decode them. */
  pathParameters: Record<string, string>;
}

interface Node<Route> {
  literals: Map<string, Node<Route>>;
  parameter: { name: string; node: Node<Route> } | undefined;
  /** `{name+}` matches the rest of the path. */
  greedy: { name: string; node: Node<Route> } | undefined;
  methods: Map<string, Route>;
}

function emptyNode<Route>(): Node<Route> {
  return { literals: new Map(), parameter: undefined, greedy: undefined, methods: new Map() };
}

/**
 * Finds the route of a request. A literal part takes precedence over a parameter, and a parameter over a greedy one, among the
 * paths that have the method: API Gateway looks for path and method together, so `OPTIONS /{proxy+}` also serves `/orders` if
 * that path has no OPTIONS (ADR 0035 has the sources).
 */
export function createRouter<Route extends Routed>(
  routes: readonly Route[],
): (method: string, path: string) => Match<Route> | undefined {
  const root = emptyNode<Route>();
  for (const route of routes) {
    let node = root;
    for (const part of partsOf(route.resourcePath)) node = child(node, part);
    node.methods.set(route.method, route);
  }
  return (method, path) => find(root, { method, parts: partsOf(path), pathParameters: {} });
}

/** A REST API treats `/orders/` and `/orders` the same. */
function partsOf(path: string): string[] {
  const trimmed = path.replace(/^\//, '').replace(/\/$/, '');
  return trimmed === '' ? [] : trimmed.split('/');
}

function child<Route>(node: Node<Route>, part: string): Node<Route> {
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

interface Sought {
  method: string;
  parts: readonly string[];
  pathParameters: Record<string, string>;
}

function find<Route extends Routed>(node: Node<Route>, sought: Sought): Match<Route> | undefined {
  const { parts, pathParameters } = sought;
  const [part, ...rest] = parts;
  if (part === undefined) return matchOf(node, sought);
  const literal = node.literals.get(part);
  const byLiteral = literal && find(literal, { ...sought, parts: rest });
  if (byLiteral) return byLiteral;
  const { parameter, greedy } = node;
  // An empty part is not a value: `/members//notes` has no member id.
  const byParameter =
    parameter &&
    part !== '' &&
    find(parameter.node, {
      ...sought,
      parts: rest,
      pathParameters: { ...pathParameters, [parameter.name]: part },
    });
  if (byParameter) return byParameter;
  return (
    greedy && matchOf(greedy.node, { ...sought, pathParameters: { ...pathParameters, [greedy.name]: parts.join('/') } })
  );
}

function matchOf<Route extends Routed>(
  node: Node<Route>,
  { method, pathParameters }: Sought,
): Match<Route> | undefined {
  const route = node.methods.get(method) ?? node.methods.get('ANY');
  return route && { route, pathParameters };
}
