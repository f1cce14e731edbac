import type { SampleStep } from './steps.ts';
import {
  addition,
  allHeaders,
  bodyOf,
  endsWithFile,
  type Header,
  headersOf,
  pathOf,
  takenFrom,
  type WriteId,
} from './write.ts';

/** `list-events` as a variable. */
const camelCase = (id: string): string => id.replaceAll(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());

export function typeScript(steps: readonly SampleStep[], serverUrl: string): string {
  const [only, ...others] = steps;
  if (only !== undefined && others.length === 0) return typeScriptCall(only, serverUrl);
  const write: WriteId = ({ from, field, list, plusSeconds }) =>
    `${camelCase(from)}${list === undefined ? '' : `.${list}[0]`}.${field}${addition({ plusSeconds })}`;
  const calls = steps.map((step, index) => {
    const path = pathOf(step, (id) => `\${${write(id)}}`);
    const quoted = path.includes('${') ? `\`${path}\`` : `'${path}'`;
    const body = step.body === undefined ? '' : `, ${bodyOf(step, write)}`;
    const call = `await call('${step.operation.method}', ${quoted}${body})`;
    if (index === steps.length - 1) return `console.log(${call});`;
    return takenFrom(step, steps).length === 0 ? `${call};` : `const ${camelCase(step.operation.id)} = ${call};`;
  });
  const hasBody = steps.some(({ body }) => body !== undefined);
  return [
    `async function call(method: string, path: string${hasBody ? ', body?: object' : ''}): Promise<any> {`,
    `  const response = await fetch(\`${serverUrl}\${path}\`, {`,
    '    method,',
    '    headers: {',
    ...allHeaders(steps).map((header) => `      ${typeScriptHeader(header)}`),
    ...(hasBody
      ? [
          "      ...(body && { 'Content-Type': 'application/json' }),",
          '    },',
          '    ...(body && { body: JSON.stringify(body) }),',
        ]
      : ['    },']),
    '  });',
    '  if (!response.ok) throw new Error(await response.text());',
    endsWithFile(steps)
      ? "  return /json/.test(response.headers.get('Content-Type') ?? '') ? response.json() : response.blob();"
      : '  return response.json();',
    '}',
    '',
    ...calls,
  ].join('\n');
}

const typeScriptHeader = ({ name, variable, prefix }: Header): string =>
  `'${name}': \`${prefix}\${process.env.${variable}}\`,`;

function typeScriptCall(step: SampleStep, serverUrl: string): string {
  const { method } = step.operation;
  const body = step.body === undefined ? undefined : JSON.stringify(step.body, null, 2);
  const url = `${serverUrl}${pathOf(step, String)}`;
  const sent = [
    ...headersOf(step).map((header) => `    ${typeScriptHeader(header)}`),
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
