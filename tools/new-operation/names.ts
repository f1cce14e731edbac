import type { OperationRequest } from './request.ts';

export type OperationKind = 'list' | 'retrieve' | 'create' | 'change' | 'delete';

/** What everything around a noun is called. */
export interface NounNames {
  /** `gadget`: in file names. */
  readonly noun: string;
  /** `Gadget`: the schema, and the OpenAPI component. */
  readonly schema: string;
  /** `gadget`: in sentences. */
  readonly words: string;
  /** `gadget_id`: the field of the response. */
  readonly idField: string;
  /** `gadgetId`: the field of the record. */
  readonly idProperty: string;
}

/** What everything around a new operation is called. */
export interface Names extends NounNames {
  readonly kind: OperationKind;
  /** `retrieveGadget`: the entry. */
  readonly entry: string;
}

export function namesOf({ id, method, path }: OperationRequest): Names {
  const [verb = '', ...rest] = id.split('-');
  const isList = method === 'GET' && verb === 'list' && !path.endsWith('}');
  const noun = isList ? singular(rest.join('-')) : rest.join('-');
  return {
    kind: kindOf(method, isList),
    entry: camelCase(id),
    ...nounNames(noun),
  };
}

export function nounNames(noun: string): NounNames {
  return {
    noun,
    schema: pascalCase(noun),
    words: noun.replaceAll('-', ' '),
    idField: `${noun.replaceAll('-', '_')}_id`,
    idProperty: `${camelCase(noun)}Id`,
  };
}

function kindOf(method: OperationRequest['method'], isList: boolean): OperationKind {
  switch (method) {
    case 'GET':
      return isList ? 'list' : 'retrieve';
    case 'POST':
      return 'create';
    case 'PUT':
    case 'PATCH':
      return 'change';
    case 'DELETE':
      return 'delete';
  }
}

export function camelCase(kebab: string): string {
  return kebab.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function pascalCase(kebab: string): string {
  return sentence(camelCase(kebab));
}

/** With a capital letter first. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function singular(noun: string): string {
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`;
  if (/(s|x|ch|sh)es$/.test(noun)) return noun.slice(0, -2);
  return noun.endsWith('s') && !noun.endsWith('ss') ? noun.slice(0, -1) : noun;
}

/** `a gadget`, `an order`. */
export function withArticle(words: string): string {
  return `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;
}
