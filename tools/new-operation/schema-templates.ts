import { responseFields } from './entry-template.ts';
import { type Names, sentence, withArticle } from './names.ts';
import type { OperationRequest } from './request.ts';

/** The response type, in the API's names. */
export function schemaFile({ schema, words, idField }: Names): string {
  return `import * as v from 'valibot';
import { field, resource } from './fields.ts';

export const ${schema} = resource('${schema}', '${sentence(withArticle(words))} of the organisation.', {
      ${responseFields(idField, words)}
});
export type ${schema} = v.InferOutput<typeof ${schema}>;
`;
}

/** The record that the table holds, in our names. */
export function recordFile({ schema, idProperty }: Names): string {
  return `export interface ${schema}Record {
  readonly ${idProperty}: string;
  readonly name: string;
}
`;
}

export function mapperFile({ resource }: OperationRequest, { schema, noun, idField, idProperty }: Names): string {
  const mapper = mapperOf(schema);
  return `import type { ${schema}Record } from '../domain/${resource}/${noun}.ts';
import type { ${schema} } from '../operations/schemas/${noun}.ts';

export function ${mapper}(record: ${schema}Record): ${schema} {
  return { ${idField}: record.${idProperty}, name: record.name };
}
`;
}

export function mapperOf(schema: string): string {
  return `${schema.charAt(0).toLowerCase()}${schema.slice(1)}Resource`;
}
