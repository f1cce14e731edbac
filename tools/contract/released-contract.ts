/** The OpenAPI document of the last release, without its texts. `npm run openapi -- --release` writes it. */
export const releasedContractFile = new URL('./released.json', import.meta.url);

const texts = ['description', 'summary', 'example', 'examples', 'title'];

/** What clients depend on: the document without texts and examples. */
export function contractOf(document: object): object {
  const parts = ['x-response-headers', 'paths', 'webhooks', 'components'].filter((name) => name in document);
  return Object.fromEntries(parts.map((name) => [name, without(Reflect.get(document, name))]));
}

function without(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => without(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      // The names of properties are not keywords: a property may be called title.
      .filter(([name]) => isNames || !texts.includes(name))
      .map(([name, inner]) => [name, without(inner, !isNames && name === 'properties')]),
  );
}
