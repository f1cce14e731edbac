import { exampleId, exampleName, takesBody, wordsOf } from './example.ts';
import type { Names } from './names.ts';
import type { OperationRequest, ResponseSchema } from './request.ts';
import { mapperOf } from './schema-templates.ts';

/** The handler: a placeholder that knows one object of each organisation, which is enough for the contract tests. */
export function handlerFile(request: OperationRequest, names: Names, response: ResponseSchema): string {
  if (response.kind === 'used') return unwrittenHandler(request, names, response.noun);
  const { resource, id, params } = request;
  const { entry } = names;
  const usesMapper = response.kind === 'own';
  const imports = [
    "import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';",
    ...(params.length > 0 ? ["import { notFound } from '../../../shared/http/problem.ts';"] : []),
    ...(usesMapper ? [`import { ${mapperOf(names.schema)} } from '../../../shared/mappers/${names.noun}.ts';`] : []),
    `import { ${entry} } from '../../../shared/operations/${resource}/${id}.ts';`,
  ];
  return `${imports.join('\n')}

export const handle: Handle<typeof ${entry}> = async (${inputOf(request, names)}, { caller${names.kind === 'list' ? ', baseUrl' : ''} }) => {
  const { orgId } = caller;
  // Placeholder: call a function of shared/data instead, and list its grants in \`effects.access\` of the entry.
  ${params.length > 0 ? `if (${isOther(params)}) throw notFound('${wordsOf(params.at(-1) ?? '')}');\n  ` : ''}${answerOf(request, names, usesMapper)}
};

export const handler = pipeline(${entry}, handle);
`;
}

/** Only the function that reads or writes the table can make a resource with all fields of a schema that exists. */
function unwrittenHandler({ resource, id }: OperationRequest, { entry }: Names, noun: string): string {
  return `import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { ${entry} } from '../../../shared/operations/${resource}/${id}.ts';

export const handle: Handle<typeof ${entry}> = async () => {
  // Call a function of shared/data, list its grants in \`effects.access\` of the entry, and return the ${noun.replaceAll('-', ' ')} with a mapper of shared/mappers.
  throw new Error('${id} is not written yet.');
};

export const handler = pipeline(${entry}, handle);
`;
}

function inputOf({ params }: OperationRequest, names: Names): string {
  const used = [
    ...(params.length > 0 ? ['params'] : []),
    ...(names.kind === 'list' ? ['query'] : []),
    ...(takesBody(names) ? ['body'] : []),
  ];
  return used.length === 0 ? '_input' : `{ ${used.join(', ')} }`;
}

function isOther(params: readonly string[]): string {
  return params.map((param) => `params.${param} !== ${exampleId(param)}`).join(' || ');
}

function answerOf(request: OperationRequest, names: Names, usesMapper: boolean): string {
  const { kind, idField, idProperty, schema } = names;
  const id = exampleId(idField);
  if (kind === 'delete') return `return { ${idField}: ${id}, deleted: true };`;
  const name = takesBody(names) ? 'body.name' : exampleName;
  const resource = usesMapper
    ? `${mapperOf(schema)}({ ${idProperty}: ${id}, name: ${name} })`
    : `{ ${idField}: ${id}, name: ${name} }`;
  if (kind !== 'list') return `return ${resource};`;
  return `const data = query.page_number === 1 ? [${resource}] : [];
  return {
    object: '${request.id.split('-').slice(1).join('_')}',
    url: ${urlOf(request, names)},
    has_more: false,
    org_id: orgId,
    data: data.slice(0, query.limit),
  };`;
}

/** The list's own address, with the ids of its path. */
function urlOf({ path, params }: OperationRequest, { entry }: Names): string {
  if (params.length === 0) return `\`\${baseUrl}\${${entry}.paths[0]}\``;
  return `\`\${baseUrl}${path.replace(/\{(\w+)\}/g, (_, name: string) => `\${params.${name}}`)}\``;
}
