import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { scopes } from '../../shared/domain/auth/scopes.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { editExamples, editRegistry, editTags } from './edits.ts';
import { entryFile } from './entry-template.ts';
import { handlerFile } from './handler-template.ts';
import { type Names, namesOf } from './names.ts';
import type { OperationRequest } from './request.ts';
import { mapperFile, recordFile, schemaFile } from './schema-templates.ts';
import { testFile } from './test-template.ts';

type KnownOperation = Pick<Operation, 'id' | 'resource' | 'method' | 'paths' | 'auth'>;

interface Known {
  readonly operations: readonly KnownOperation[];
  readonly tags: readonly string[];
}

export interface WrittenOperation {
  /** New and changed files, not formatted yet. */
  readonly files: readonly string[];
  /** What was written, and what is left to do. */
  readonly report: string;
}

/** Writes everything that a new operation consists of. */
export function writeOperation(root: string, request: OperationRequest, known: Known): WrittenOperation {
  const names = namesOf(request);
  const scope = scopeOf(request, known.operations);
  const written = filesOf(root, request, names, scope);
  const [taken] = Object.keys(written).filter((file) => existsSync(join(root, file)));
  if (taken !== undefined) throw new Error(`${taken} exists. Delete it, or choose another operation id.`);
  const edited = {
    'shared/operations/registry.ts': (text: string) => editRegistry(text, request, names, known.operations),
    'shared/operations/tags.ts': (text: string) => editTags(text, request, known.tags),
    'tools/fixtures/contract/examples.ts': (text: string) => editExamples(text, request, names),
  };
  for (const [file, text] of Object.entries(written)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const changed = Object.entries(edited).flatMap(([file, edit]) => {
    const [before, after] = [readFileSync(join(root, file), 'utf8'), edit(readFileSync(join(root, file), 'utf8'))];
    if (after === before) return [];
    writeFileSync(join(root, file), after);
    return [file];
  });
  const isNewResource = !known.tags.includes(request.resource);
  return {
    files: [...Object.keys(written), ...changed],
    report: report(request, names, { files: Object.keys(written), changed, scope, isNewResource }),
  };
}

function filesOf(root: string, request: OperationRequest, names: Names, scope: string): Record<string, string> {
  const { resource, id } = request;
  const ofSchema = {
    [`shared/operations/schemas/${names.noun}.ts`]: schemaFile(names),
    [`shared/domain/${resource}/${names.noun}.ts`]: recordFile(names),
    [`shared/mappers/${names.noun}.ts`]: mapperFile(request, names),
  };
  const isNew = Object.keys(ofSchema).every((file) => !existsSync(join(root, file)));
  const hasSchema = names.kind !== 'delete' && (isNew || Object.entries(ofSchema).every(isUnchanged(root)));
  return {
    [`shared/operations/${resource}/${id}.ts`]: entryFile(request, names, { hasSchema, scope }),
    ...(hasSchema && isNew && ofSchema),
    [`functions/api/${resource}/${id}.ts`]: handlerFile(request, names, hasSchema),
    [`test/data/${resource}/${id}.test.ts`]: testFile(request, names),
  };
}

/** Whether a file is as an earlier operation of the resource was generated with it, but for its format. */
function isUnchanged(root: string) {
  const compact = (text: string): string => text.replace(/\s/g, '');
  return ([file, text]: readonly [string, string]): boolean =>
    existsSync(join(root, file)) && compact(readFileSync(join(root, file), 'utf8')) === compact(text);
}

/** The scope of the resource's other writes, or one named after it; otherwise the first write scope there is. */
function scopeOf({ resource, method }: OperationRequest, operations: readonly KnownOperation[]): string {
  if (method === 'GET') return 'read';
  const [other] = operations
    .filter((operation) => operation.resource === resource && operation.method !== 'GET')
    .flatMap(({ auth }) => (auth.kind === 'public' ? [] : [auth.scope]));
  const named = scopes.find((scope) => scope === `${resource}:write`);
  return other ?? named ?? 'members:write';
}

interface Reported {
  readonly files: readonly string[];
  readonly changed: readonly string[];
  readonly scope: string;
  readonly isNewResource: boolean;
}

function report({ resource, id }: OperationRequest, { kind }: Names, reported: Reported): string {
  const { files, changed, scope, isNewResource } = reported;
  const tag = isNewResource
    ? `\nThe resource ${resource} is new. Write its description in shared/operations/tags.ts.\n`
    : '';
  const schema = kind === 'delete' ? '' : ' Where a schema of shared/operations/schemas fits the response, use it.';
  return `Wrote ${id}:
${files.map((file) => `  ${file}`).join('\n')}
  and its lines in ${[...changed, 'docs/openapi.json'].join(', ')}
${tag}
Next:
  1. Write the summary, the description and the fields of the entry.${schema} It needs the scope ${scope}; shared/domain/auth/scopes.ts lists the others.
  2. Replace the placeholder in the handler by data functions, and list their grants in effects.access (shared/data/*/access.ts).
  3. Use ids that exist in tools/fixtures/contract/examples.ts, and test in test/data/${resource}/${id}.test.ts what only this operation promises.
  4. Run npm run openapi again, npm run format and npm test, and add a line to CHANGELOG.md.`;
}
