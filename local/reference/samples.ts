import type { RecordedCall } from '../../shared/openapi/examples.ts';
import { needsFanToken, type Operation } from '../../shared/operations/operation.ts';

export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/** How a request is written in each language. */
interface SampleRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, variable: string, prefix: string])[];
  readonly body: string | undefined;
}

/** A complete program for the recorded call of an operation. Keys come from the environment, so that no code contains one. */
export function codeSamples(operation: Operation, call: RecordedCall, serverUrl: string): readonly CodeSample[] {
  const path = operation.paths[0].replaceAll(/\{(\w+)\}/g, (_match, name: string) =>
    encodeURIComponent(call.params?.[name] ?? ''),
  );
  const query = new URLSearchParams(call.query).toString();
  const request: SampleRequest = {
    method: operation.method,
    url: `${serverUrl}${path}${query === '' ? '' : `?${query}`}`,
    headers: [
      ...(operation.auth.kind === 'public' ? [] : [['Authorization', 'GATELINE_API_KEY', 'Bearer '] as const]),
      ...(needsFanToken(operation) ? [['X-SSO-Token', 'GATELINE_SSO_TOKEN', ''] as const] : []),
    ],
    body: call.body === undefined ? undefined : JSON.stringify(call.body, null, 2),
  };
  return [
    { lang: 'shell', label: 'curl', source: curl(request) },
    { lang: 'typescript', label: 'TypeScript', source: typeScript(request) },
    { lang: 'python', label: 'Python', source: python(request) },
  ];
}

function curl({ method, url, headers, body }: SampleRequest): string {
  const parts = [
    ...(method === 'GET' || (method === 'POST' && body !== undefined) ? [] : [`-X ${method}`]),
    `'${url}'`,
    ...headers.map(([name, variable, prefix]) => `-H "${name}: ${prefix}$${variable}"`),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d '${body.replaceAll("'", String.raw`'\''`)}'`]),
  ];
  return `curl ${parts.join(' \\\n  ')}`;
}

function typeScript({ method, url, headers, body }: SampleRequest): string {
  const sent = [
    ...headers.map(([name, variable, prefix]) => `    '${name}': \`${prefix}\${process.env.${variable}}\`,`),
    ...(body === undefined ? [] : [`    'Content-Type': 'application/json',`]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(sent.length === 0 ? [] : ['  headers: {', ...sent, '  },']),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${body.replaceAll('\n', '\n  ')}),`]),
  ];
  const call = options.length === 0 ? `fetch('${url}')` : `fetch('${url}', {\n${options.join('\n')}\n})`;
  return `const response = await ${call};\nconsole.log(response.status, await response.json());`;
}

function python({ method, url, headers, body }: SampleRequest): string {
  const sent = [
    ...headers.map(
      ([name, variable, prefix]) =>
        `        "${name}": ${prefix === '' ? '' : `"${prefix}" + `}os.environ["${variable}"],`,
    ),
    ...(body === undefined ? [] : [`        "Content-Type": "application/json",`]),
  ];
  return [
    'import json, os, urllib.request',
    '',
    'request = urllib.request.Request(',
    `    "${url}",`,
    `    method="${method}",`,
    ...(sent.length === 0 ? [] : ['    headers={', ...sent, '    },']),
    ...(body === undefined ? [] : [`    data=json.dumps(${pythonOf(body)}).encode(),`]),
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(response.status, json.load(response))',
  ].join('\n');
}

function pythonOf(json: string): string {
  return json
    .replaceAll(/^(.*?: |\s*)(true|false|null)(,?)$/gm, (_match, before: string, word: string, comma: string) => {
      const words: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };
      return `${before}${words[word]}${comma}`;
    })
    .replaceAll('\n', '\n    ');
}
