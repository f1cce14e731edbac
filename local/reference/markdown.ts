import { variantName } from '../../shared/openapi/error-schemas.ts';
import { withInherited } from '../../shared/openapi/extensions.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { type ProblemCode, problemCodes, problems } from '../../shared/operations/problems.ts';
import { operations } from '../../shared/operations/registry.ts';
import { isRecord } from '../../shared/operations/schema-shape.ts';
import { tags } from '../../shared/operations/tags.ts';
import { aboutSamples } from './about-samples.ts';
import { documentNames, readDocument } from './guides.ts';

type Json = Readonly<Record<string, unknown>>;

/** The reference and the guides as Markdown, by file name: what the page shows, for readers that run no script. */
export function markdownFiles(document: Json): ReadonlyMap<string, string> {
  const pages = new Map<string, string>();
  for (const name of documentNames) pages.set(`${name}.md`, withLinks(readDocument(name), name));
  for (const operation of operations) pages.set(fileOf(operation), operationPage(operation, document));
  pages.set('errors.md', errorList());
  pages.set('llms-full.txt', [indexOf(''), ...pages.values()].join('\n\n'));
  return pages.set('index.md', indexOf('')).set('llms.txt', indexOf(''));
}

/** Every code that a response can have. */
function errorList(): string {
  const rows = problemCodes.map(
    (code) => `| \`${code}\` | ${problems[code].status} | \`${problems[code].type}\` | ${problems[code].meaning} |`,
  );
  return `# Error codes

Every error response has \`error.code\`, and a code always has the same status and type. The page of an operation lists the codes of its own. \`message\`
says what to change, \`param\` names the parameter.

| Code | Status | Type | Meaning |
|---|---|---|---|
${rows.join('\n')}
`;
}

const fileOf = ({ id }: Operation): string => `operations/${id}.md`;

/** The index in the form of https://llmstxt.org. `folder` is where the pages are, seen from the file. */
export function indexOf(folder: string): string {
  const guides = documentNames.map((name) => `- [${titleOf(readDocument(name))}](${folder}${name}.md)`);
  const reference = Object.entries(tags).flatMap(([tag, about]) => [
    `\n### ${tag}\n\n${about}\n`,
    ...operations
      .filter(({ resource }) => resource === tag)
      .map((each) => `- [${each.id}](${folder}${fileOf(each)}): ${each.summary}. \`${each.method} ${each.paths[0]}\``),
  ]);
  return `# Gateline

> Headless ticketing, membership and access control: one REST API, with an API key as a bearer token and JSON in both directions.

The description of the API for programs is [openapi.json](${folder}openapi.json). [All pages in one file](${folder}llms-full.txt). [All error codes](${folder}errors.md).

${aboutSamples.replace('# Code', '## Code')}

## Guides

${guides.join('\n')}

## Reference
${reference.join('\n')}
`;
}

const titleOf = (markdown: string): string => /^# (.+)$/m.exec(markdown)?.[1] ?? '';

/** Links between the documents stay. What is only in the repository is not linked. */
function withLinks(markdown: string, from: string): string {
  return markdown.replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (whole, text: string, target: string) => {
    if (/^(https?:|#)/.test(target)) return whole;
    const [file = ''] = new URL(target, `file:///${from}`).pathname.slice(1).split('.md');
    return documentNames.includes(file) ? whole : text;
  });
}

function operationPage(operation: Operation, document: Json): string {
  const { id, summary, method, paths } = operation;
  const described = at(document, 'paths', paths[0], method.toLowerCase());
  const parameters = listOf(described.parameters)
    .map((each) => resolved(each, document))
    .map(({ name, required, schema, description }) =>
      fieldLine(String(name), required === true, { ...record(schema), description }, document),
    );
  const body = at(resolved(record(described.requestBody), document), 'content', 'application/json');
  const { status, mediaType } = operation.output;
  const answer = resolved(at(described, 'responses', String(status)), document);
  const success = at(answer, 'content', mediaType);
  const { value: example } = at(success, 'examples', 'demo');
  const response =
    mediaType === 'application/json' ? fieldLines(record(success.schema), '', document) : [`A file: \`${mediaType}\`.`];
  const samples = listOf(described['x-codeSamples']);
  const sections = [
    `# ${summary}\n\n\`${id}\` · \`${method} ${paths[0]}\``,
    String(described.description),
    section('Parameters', parameters),
    section('Body', fieldLines(record(body.schema), '', document)),
    section(`Response (${status})`, response),
    ...(example === undefined ? [] : [`## Example of a response\n\n${fenced('json', json(example))}`]),
    ...samples.map(({ label, lang, source }) => `## ${label}\n\n${fenced(String(lang), String(source))}`),
    section(
      'Errors',
      operation.output.problems.flatMap((code) => [
        `- \`${code}\` (${problems[code].status}): ${problems[code].meaning}`,
        ...besideError(code, document).map((line) => `  ${line}`),
      ]),
    ),
  ];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}

/** The fields that the body of this error has beside `error`. */
function besideError(code: ProblemCode, document: Json): readonly string[] {
  const { properties, required } = at(document, 'components', 'schemas', variantName(code));
  const { error, ...beside } = record(properties);
  return fieldLines({ properties: beside, required }, '', document);
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);
const fenced = (language: string, code: string): string => `\`\`\`${language.toLowerCase()}\n${code.trimEnd()}\n\`\`\``;
const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `## ${title}\n\n${lines.join('\n')}`;

/** One line for each field, with the path at which a client finds it: `data[].tickets[].price`. */
function fieldLines(schema: Json, path: string, document: Json): string[] {
  const { properties, required, items } = resolved(schema, document);
  if (items !== undefined) return fieldLines(record(items), `${path}[]`, document);
  const names: unknown = required;
  return Object.entries(record(properties)).flatMap(([name, inner]) => {
    const own = path === '' ? name : `${path}.${name}`;
    const line = fieldLine(own, Array.isArray(names) && names.includes(name), record(inner), document);
    const options = [record(inner), ...listOf(record(inner).anyOf)];
    return [line, ...options.flatMap((option) => fieldLines(option, own, document))];
  });
}

function fieldLine(name: string, required: boolean, schema: Json, document: Json): string {
  const inner = resolved(schema, document);
  const options = [inner, ...listOf(inner.anyOf).map((option) => resolved(option, document))];
  // A field that may be null is described where its other type is.
  const text = schema.description ?? options.find(({ description }) => description !== undefined)?.description ?? '';
  const facts = [
    typeOf(schema, document),
    ...boundsOf(options),
    ...defaultOf(schema),
    ...(required ? [] : ['optional']),
  ];
  return `- \`${name}\` (${facts.join(', ')}): ${String(text).replaceAll('\n', ' ')}`;
}

/** The largest number that JSON can hold exactly is no limit that a reader has to know. */
const isShown = (bound: unknown): boolean => typeof bound === 'number' && bound < Number.MAX_SAFE_INTEGER;

function boundsOf(options: readonly Json[]): readonly string[] {
  return options.flatMap(({ minimum, maximum, maxLength, maxItems }) => [
    ...(isShown(minimum) && isShown(maximum) ? [`${minimum} to ${maximum}`] : []),
    ...(isShown(minimum) && !isShown(maximum) ? [`at least ${minimum}`] : []),
    ...(!isShown(minimum) && isShown(maximum) ? [`at most ${maximum}`] : []),
    ...(isShown(maxLength) ? [`at most ${maxLength} characters`] : []),
    ...(isShown(maxItems) ? [`at most ${maxItems}`] : []),
  ]);
}

const defaultOf = ({ default: value }: Json): readonly string[] =>
  value === undefined || value === null ? [] : [`default ${JSON.stringify(value)}`];

function typeOf(schema: Json, document: Json): string {
  const { type, enum: values, anyOf, items } = resolved(schema, document);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (anyOf !== undefined)
    return listOf(anyOf)
      .map((each) => typeOf(each, document))
      .join(' or ');
  return items === undefined ? String(type ?? 'any') : `list of ${typeOf(record(items), document)}`;
}

function resolved(schema: Json, document: Json): Json {
  const own = typeof schema.$ref === 'string' ? at(document, ...schema.$ref.replace('#/', '').split('/')) : schema;
  return withInherited(own, (base) => resolved(base, document));
}

function at(value: Json, ...path: readonly string[]): Json {
  return path.reduce<Json>((inner, name) => record(inner[name]), value);
}

const record = (value: unknown): Json => (isRecord(value) ? value : {});
const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isRecord) : []);
