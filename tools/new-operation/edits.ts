import type { Operation } from '../../shared/operations/operation.ts';
import { exampleName, exampleParams, takesBody } from './example.ts';
import { camelCase, type Names, sentence } from './names.ts';
import type { OperationRequest } from './request.ts';

type KnownOperation = Pick<Operation, 'id' | 'resource'>;

/** The registry with the operation after the last one of its resource; those of the service itself stay the last. */
export function editRegistry(
  text: string,
  { id, resource }: OperationRequest,
  { entry }: Names,
  operations: readonly KnownOperation[],
): string {
  const line = `import { ${entry} } from './${resource}/${id}.ts';\n`;
  const last = operations.findLast((operation) => operation.resource === resource);
  const element =
    last === undefined
      ? insertBefore(text, '  retrieveRateLimit,\n', `  ${entry},\n`)
      : insertAfter(text, `  ${camelCase(last.id)},\n`, `  ${entry},\n`);
  return line + element;
}

/** The tags with one for a new resource, in the order of the alphabet; `service` stays the last. */
export function editTags(text: string, { resource }: OperationRequest, tags: readonly string[]): string {
  if (tags.includes(resource)) return text;
  const keyOf = (tag: string): string => (tag.includes('-') ? `'${tag}'` : tag);
  const next = tags.find((tag) => tag > resource && tag !== 'service') ?? 'service';
  const line = `  ${keyOf(resource)}: '${sentence(resource.replaceAll('-', ' '))} of the organisation.',\n`;
  return insertBefore(text, `  ${keyOf(next)}:`, line);
}

/** The contract's examples with an existing id and the smallest body. */
export function editExamples(text: string, request: OperationRequest, names: Names): string {
  const params = exampleParams(request);
  const parts = [
    ...(params === undefined ? [] : [`params: (orgId) => (${params})`]),
    ...(takesBody(names) ? [`body: () => ({ name: ${exampleName} })`] : []),
  ];
  return parts.length === 0 ? text : insertBefore(text, '  probe: {', `  '${request.id}': { ${parts.join(', ')} },\n`);
}

/** The calls that are recorded as examples, with one of what the placeholder accepts. An operation without input needs none. */
export function editRecordedCalls(text: string, request: OperationRequest, names: Names): string {
  const params = exampleParams(request);
  const parts = [
    ...(params === undefined ? [] : [`params: ${params}`]),
    ...(takesBody(names) ? [`body: { name: ${exampleName} }`] : []),
  ];
  if (parts.length === 0) return text;
  const context = params === undefined ? '()' : '({ orgId })';
  return text.replace(/\};\n$/, `  '${request.id}': ${context} => ({ ${parts.join(', ')} }),\n};\n`);
}

function insertBefore(text: string, anchor: string, inserted: string): string {
  return replaceOnce(text, anchor, inserted + anchor);
}

function insertAfter(text: string, anchor: string, inserted: string): string {
  return replaceOnce(text, anchor, anchor + inserted);
}

function replaceOnce(text: string, anchor: string, replacement: string): string {
  const [before, after, ...more] = text.split(anchor);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`Expected ${JSON.stringify(anchor)} once. Adapt tools/new-operation/edits.ts to the file.`);
  }
  return before + replacement + after;
}
