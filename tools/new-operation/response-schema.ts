import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Names, nounNames } from './names.ts';
import type { OperationRequest, RefusedRequest, ResponseSchema } from './request.ts';
import { mapperFile, recordFile, schemaFile } from './schema-templates.ts';

/** Which schema the response has. Where the noun exists, a refusal asks for it: nobody wants a second schema by accident. */
export function responseSchema(root: string, request: OperationRequest, names: Names): ResponseSchema | RefusedRequest {
  const { uses, id, resource } = request;
  const { noun, kind, schema } = names;
  if (uses !== undefined && uses !== 'none') return usedSchema(root, uses);
  if (kind === 'delete' || uses === 'none') return { kind: 'inline' };
  const record = `shared/domain/${resource}/${noun}.ts`;
  const files = {
    [schemaPath(noun)]: schemaFile(names),
    [record]: recordFile(names),
    [mapperPath(noun)]: mapperFile(names, record),
  };
  if (Object.entries(files).every(isUnchanged(root))) return { kind: 'own', files: {} };
  const found = Object.keys(files).find((file) => existsSync(join(root, file))) ?? recordOf(root, schema);
  if (found === undefined) return { kind: 'own', files };
  return {
    refusal: `Does ${id} return what ${found} describes? Add --uses ${noun} (or --uses with another name in shared/operations/schemas), or --uses none for a schema of its own.`,
  };
}

const schemaPath = (noun: string) => `shared/operations/schemas/${noun}.ts`;
const mapperPath = (noun: string) => `shared/mappers/${noun}.ts`;

function usedSchema(root: string, noun: string): ResponseSchema | RefusedRequest {
  const names = nounNames(noun);
  const { schema } = names;
  const text = existsSync(join(root, schemaPath(noun))) ? readFileSync(join(root, schemaPath(noun)), 'utf8') : '';
  const [, after] = text.split(`export const ${schema} = resource(`);
  const [, field] = after?.match(/^ {2}(\w+): /m) ?? [];
  if (field !== undefined) return { kind: 'used', noun, schema, field, files: {} };
  const record = recordOf(root, schema);
  if (record === undefined || text !== '') {
    return {
      refusal: `${schemaPath(noun)} has no schema ${schema}. Name another file of shared/operations/schemas after --uses.`,
    };
  }
  return {
    kind: 'used',
    noun,
    schema,
    field: names.idField,
    files: { [schemaPath(noun)]: schemaFile(names), [mapperPath(noun)]: mapperFile(names, record) },
  };
}

/** The file of `MemberRecord`. */
function recordOf(root: string, schema: string): string | undefined {
  const declared = new RegExp(`^export (interface|type) ${schema}Record\\b`, 'm');
  return ['shared/domain', 'shared/data']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
    )
    .find((file) => file.endsWith('.ts') && declared.test(readFileSync(join(root, file), 'utf8')));
}

/** Whether a file is as an earlier operation of the resource was generated with it, but for its format. */
function isUnchanged(root: string) {
  const compact = (text: string): string => text.replace(/\s/g, '');
  return ([file, text]: readonly [string, string]): boolean =>
    existsSync(join(root, file)) && compact(readFileSync(join(root, file), 'utf8')) === compact(text);
}
