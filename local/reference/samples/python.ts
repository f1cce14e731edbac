import type { SampleStep } from './steps.ts';
import { addition, allHeaders, bodyOf, endsWithFile, pathOf, takenFrom, type WriteId } from './write.ts';

/** `list-events` as a variable. */
const snakeCase = (id: string): string => id.replaceAll('-', '_');

export function python(steps: readonly SampleStep[], serverUrl: string): string {
  const write: WriteId = ({ from, field, list, plusSeconds }) =>
    `${snakeCase(from)}${list === undefined ? '' : `['${list}'][0]`}['${field}']${addition({ plusSeconds })}`;
  const calls = steps.map((step, index) => {
    const path = pathOf(step, (id) => `{${write(id)}}`);
    const quoted = path.includes('{') ? `f"${path}"` : `"${path}"`;
    const body = step.body === undefined ? '' : `, ${pythonOf(bodyOf(step, write))}`;
    const call = `call("${step.operation.method}", ${quoted}${body})`;
    if (index === steps.length - 1) return `print(${call})`;
    return takenFrom(step, steps).length === 0 ? call : `${snakeCase(step.operation.id)} = ${call}`;
  });
  const hasBody = steps.some(({ body }) => body !== undefined);
  return [
    'import json, os, urllib.error, urllib.request',
    '',
    `def call(method, path${hasBody ? ', body=None' : ''}):`,
    `    request = urllib.request.Request("${serverUrl}" + path, method=method)`,
    ...allHeaders(steps).map(
      ({ name, variable, prefix }) =>
        `    request.add_header("${name}", ${prefix === '' ? '' : `"${prefix}" + `}os.environ["${variable}"])`,
    ),
    ...(hasBody
      ? [
          '    if body is not None:',
          '        request.add_header("Content-Type", "application/json")',
          '        request.data = json.dumps(body).encode()',
        ]
      : []),
    '    try:',
    '        with urllib.request.urlopen(request) as response:',
    endsWithFile(steps)
      ? '            return json.load(response) if "json" in response.headers["Content-Type"] else response.read()'
      : '            return json.load(response)',
    // What HTTPError prints has only the status, and the body says what to change.
    '    except urllib.error.HTTPError as refused:',
    '        raise SystemExit(refused.read().decode())',
    '',
    ...calls,
  ].join('\n');
}

function pythonOf(json: string): string {
  return json.replaceAll(
    /^(.*?: |\s*)(true|false|null)(,?)$/gm,
    (_match, before: string, word: string, comma: string) => {
      const words: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };
      return `${before}${words[word]}${comma}`;
    },
  );
}
