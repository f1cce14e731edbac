import { takesBody, wordsOf } from './example.ts';
import { type Names, sentence, withArticle } from './names.ts';
import type { OperationRequest, ResponseSchema } from './request.ts';

export interface EntryOptions {
  readonly response: ResponseSchema;
  readonly scope: string;
}

/** The file of the entry. Biome sorts the imports and sets the line breaks. */
export function entryFile(request: OperationRequest, names: Names, options: EntryOptions): string {
  const { id, resource, method, path } = request;
  const { summary, description } = textsOf(request, names);
  const input = inputOf(request, names);
  return `${importsOf(request, names, options)}

export const ${names.entry} = defineOperation({
  id: '${id}',
  resource: '${resource}',
  summary: '${summary}',
  description: '${description}',
  method: '${method}',
  paths: ['${path}'],
  auth: { kind: 'metered', scope: '${options.scope}' },
  ${input === undefined ? '' : `input: { ${input} },`}
  output: { ${names.kind === 'create' ? 'status: 201, ' : ''}schema: ${schemaOf(request, names, options)} },
  ${method === 'GET' ? '' : 'effects: { cannotBeUndone: false },'}
});
`;
}

function importsOf(request: OperationRequest, names: Names, options: EntryOptions): string {
  const { response } = options;
  const isInline = response.kind === 'inline';
  const usesFields = isInline || takesBody(names) || request.params.length > 0 || names.kind === 'list';
  return [
    ...(usesFields ? [`import * as v from 'valibot';`] : []),
    `import { defineOperation } from '../operation.ts';`,
    ...(usesFields ? [`import { field${isInline ? ', resource' : ''} } from '../schemas/fields.ts';`] : []),
    ...(names.kind === 'list' ? [`import { organisationListOf } from '../schemas/list-envelope.ts';`] : []),
    ...(response.kind === 'own' ? [`import { ${names.schema} } from '../schemas/${names.noun}.ts';`] : []),
    ...(response.kind === 'used' ? [`import { ${response.schema} } from '../schemas/${response.noun}.ts';`] : []),
  ].join('\n');
}

function textsOf({ id, params }: OperationRequest, { kind, words }: Names) {
  const [verb = ''] = id.split('-');
  if (kind === 'list') {
    const things = id.split('-').slice(1).join(' ');
    return {
      summary: `List all ${things}`,
      description: `Lists the ${things} of the organisation, one page at a time.`,
    };
  }
  const isNew = kind === 'create' && params.length === 0;
  return {
    summary: `${sentence(verb)} ${withArticle(words)}`,
    description: `${sentence(verb)}s ${isNew ? withArticle(words) : `one ${words}`} of the organisation.`,
  };
}

function inputOf(request: OperationRequest, names: Names): string | undefined {
  const params = request.params.map(
    (param) => `${param}: field(v.string(), 'Unique identifier of the ${wordsOf(param)}.')`,
  );
  const groups = [
    ...(params.length > 0 ? [`params: v.strictObject({ ${params.join(', ')} })`] : []),
    ...(names.kind === 'list' ? [`query: v.strictObject({ ${pageFields(request)} })`] : []),
    ...(takesBody(names) ? [`body: v.strictObject({ name: ${nameField(names)} })`] : []),
  ];
  return groups.length === 0 ? undefined : groups.join(', ');
}

function nameField({ words }: Names): string {
  return `field(v.pipe(v.string(), v.minLength(1), v.maxLength(200)), 'The name of the ${words}.')`;
}

function pageFields({ id }: OperationRequest): string {
  const number = (most: string) => `v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(${most}))`;
  const things = id.split('-').slice(1).join(' ');
  return `page_number: v.optional(field(${number('999_999_999')}, 'The number of the page. The first page is 1.'), 1),
    limit: v.optional(field(${number('100')}, 'The number of ${things} per page.'), 20)`;
}

function schemaOf({ id }: OperationRequest, names: Names, { response }: EntryOptions): string {
  const item = itemOf(names, response);
  if (names.kind !== 'list') return item;
  return `organisationListOf('${id.split('-').slice(1).join('_')}', ${item})`;
}

function itemOf(names: Names, response: ResponseSchema): string {
  if (response.kind === 'used') return response.schema;
  return response.kind === 'own' ? names.schema : placeholderOf(names);
}

/** A response that becomes one of the schemas that exist, or is the only one of its kind. */
function placeholderOf({ kind, entry, words, idField, schema }: Names): string {
  if (kind === 'delete') {
    return `resource('Deleted${schema}', 'A deleted ${words}.', {
      ${idField}: field(v.string(), 'The id of the deleted ${words}.'),
      deleted: field(v.literal(true), 'Always true.'),
    })`;
  }
  return `resource('${sentence(entry)}${kind === 'list' ? 'Item' : 'Response'}', '${sentence(withArticle(words))}.', {
      ${responseFields(idField, words)}
    })`;
}

export function responseFields(idField: string, words: string): string {
  return `${idField}: field(v.string(), 'Unique identifier of the ${words}.'),
      name: field(v.string(), 'Name of the ${words}.'),`;
}
