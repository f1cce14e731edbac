import { responseFields } from './entry-template.ts';
import { type NounNames, sentence, withArticle } from './names.ts';

/** The response type, in the API's names. */
export function schemaFile({ schema, words, idField }: NounNames): string {
  return `import * as v from 'valibot';
import { field, resource } from './fields.ts';

export const ${schema} = resource('${schema}', '${sentence(withArticle(words))} of the organisation.', {
      ${responseFields(idField, words)}
});
export type ${schema} = v.InferOutput<typeof ${schema}>;
`;
}

/** The record that the table holds, in our names. */
export function recordFile({ schema, idProperty }: NounNames): string {
  return `export interface ${schema}Record {
  readonly ${idProperty}: string;
  readonly name: string;
}
`;
}

/** `record` is the path of the record's file. */
export function mapperFile({ schema, noun, idField, idProperty }: NounNames, record: string): string {
  const mapper = mapperOf(schema);
  return `import type { ${schema}Record } from '${record.replace('shared', '..')}';
import type { ${schema} } from '../operations/schemas/${noun}.ts';

export function ${mapper}(record: ${schema}Record): ${schema} {
  return { ${idField}: record.${idProperty}, name: record.name };
}
`;
}

export function mapperOf(schema: string): string {
  return `${schema.charAt(0).toLowerCase()}${schema.slice(1)}Resource`;
}
