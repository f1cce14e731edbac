import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { scopes } from '../../shared/domain/auth/scopes.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { editExamples, editRecordedCalls, editRegistry, editTags } from './edits.ts';
import { type EntryOptions, entryFile } from './entry-template.ts';
import { handlerFile } from './handler-template.ts';
import { type Names, namesOf } from './names.ts';
import type { OperationRequest, RefusedRequest, ResponseSchema } from './request.ts';
import { responseSchema } from './response-schema.ts';
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
export function writeOperation(
  root: string,
  request: OperationRequest,
  known: Known,
): WrittenOperation | RefusedRequest {
  const names = namesOf(request);
  const scope = scopeOf(request, known.operations);
  const response = responseSchema(root, request, names);
  if ('refusal' in response) return response;
  const written = filesOf(request, names, { response, scope });
  const [taken] = Object.keys(written).filter((file) => existsSync(join(root, file)));
  if (taken !== undefined) return { refusal: `${taken} exists. Delete it, or choose another operation id.` };
  const edited = {
    'shared/operations/registry.ts': (text: string) => editRegistry(text, request, names, known.operations),
    'shared/operations/tags.ts': (text: string) => editTags(text, request, known.tags),
    'tools/fixtures/contract/examples.ts': (text: string) => editExamples(text, request, names),
    'test/support/recording/calls.ts': (text: string) => editRecordedCalls(text, request, names),
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
    report: report(request, { files: Object.keys(written), changed, scope, isNewResource, response }),
  };
}

function filesOf(request: OperationRequest, names: Names, options: EntryOptions): Record<string, string> {
  const { resource, id } = request;
  const { response } = options;
  return {
    [`shared/operations/${resource}/${id}.ts`]: entryFile(request, names, options),
    ...(response.kind !== 'inline' && response.files),
    [`functions/api/${resource}/${id}.ts`]: handlerFile(request, names, response),
    [`test/data/${resource}/${id}.test.ts`]: testFile(request, names, response),
  };
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
  readonly response: ResponseSchema;
}

function report(request: OperationRequest, { files, changed, ...facts }: Reported): string {
  const steps = nextSteps(request, facts).map((step, index) => `  ${index + 1}. ${step}`);
  return `Wrote ${request.id}:
${files.map((file) => `  ${file}`).join('\n')}
  and its lines in ${[...changed, 'docs/openapi.json'].join(', ')}

Next:
${steps.join('\n')}`;
}

/** Everything that is left to do by hand until `npm test` passes. */
function nextSteps(
  { resource, id, method, params }: OperationRequest,
  { scope, isNewResource, response }: Pick<Reported, 'scope' | 'isNewResource' | 'response'>,
): string[] {
  const schemaFolder = 'shared/operations/schemas';
  return [
    ...(isNewResource ? [`Describe the resource ${resource} in shared/operations/tags.ts.`] : []),
    `Write summary, description, fields and own problems in shared/operations/${resource}/${id}.ts. It needs the scope ${scope}; shared/domain/auth/scopes.ts lists the others.`,
    ...(response.kind === 'own'
      ? [
          'Give the record, the schema and the mapper their fields. A new kind of row also needs a key in shared/data/table/keys.ts, a kind in shared/domain/table-access.ts, a row in test/support/rows/every-kind.ts, a line under "The table throttles" in docs/runbook.md, and demo data in local/demo.',
        ]
      : []),
    ...(response.kind === 'used' && Object.keys(response.files).length > 0
      ? [`Give the schema and the mapper the fields of ${response.schema}Record.`]
      : []),
    ...(response.kind === 'inline' && method !== 'DELETE'
      ? [`Replace the placeholder schema, or move it to ${schemaFolder}.`]
      : []),
    `Write the query or transaction in shared/data/${resource}, with its grants in access.ts of that folder, call it in functions/api/${resource}/${id}.ts, and list the grants in effects.access of the entry.${response.kind === 'used' ? ' Until then the handler throws, and the contract tests fail.' : ''}`,
    ...(method === 'GET'
      ? []
      : [
          'Decide whether another operation can undo it (effects.cannotBeUndone): an assistant may only propose what cannot be undone.',
          'If it announces an event, list the type in effects.emits, and write outboxItems and receipt in the transaction.',
        ]),
    ...(params.length > 0 || method !== 'GET'
      ? [
          'Give the contract tests an id that exists and the smallest body in tools/fixtures/contract/examples.ts; contract-fixture.ts beside it creates objects.',
        ]
      : []),
    `Test in test/data/${resource}/${id}.test.ts what only this operation promises.`,
    ...(params.length > 0 || method !== 'GET'
      ? [
          'Change the recorded call in test/support/recording/calls.ts to one that the demo answers. If the path has an id of a new kind, say in local/reference/samples/steps.ts which operation returns it.',
        ]
      : []),
    'Run npm run openapi:record -- -t "calls|written", which calls all operations on the demo and writes their examples and docs/openapi.json. Read that diff as a client would.',
    'Add a line to CHANGELOG.md, and run npm run format and npm test.',
  ];
}
