import { type SampleStep, type TakenId, takenIds } from './steps.ts';
import { addition, bodyOf, endsWithFile, headersOf, pathOf, takenFrom } from './write.ts';

const shellName = ({ name, field, plusSeconds }: TakenId): string =>
  (plusSeconds === undefined ? name : field).toUpperCase();

const shellValue = (id: TakenId): string => {
  if (id.plusSeconds !== undefined) return `$((${shellName(id)}${addition(id)}))`;
  return id.isText ? `"$${shellName(id)}"` : `$${shellName(id)}`;
};

export function curl(steps: readonly SampleStep[], serverUrl: string): string {
  const before = steps.slice(0, -1).map((step) => {
    const [id, ...others] = takenFrom(step, steps);
    // -f and -S: a step that fails says so, instead of leaving its variable empty.
    if (id === undefined) return command(step, serverUrl, '-fsS -o /dev/null ');
    if (others.length === 0) return `${shellName(id)}=$(${piped(command(step, serverUrl, '-fsS '), firstOf(id))})`;
    const each = [id, ...others].map((one) => `${shellName(one)}=$(echo "$RESPONSE" | ${firstOf(one)})`);
    return [`RESPONSE=$(${command(step, serverUrl, '-fsS ')}\n)`, ...each].join('\n');
  });
  return [
    ...before,
    ...steps.slice(-1).map((step) => command(step, serverUrl, endsWithFile(steps) ? '-OJ ' : '')),
  ].join('\n');
}

function command(step: SampleStep, serverUrl: string, options: string): string {
  const { method } = step.operation;
  const isUsual = method === (step.body === undefined ? 'GET' : 'POST');
  const url = `${serverUrl}${pathOf(step, (taken) => `$${shellName(taken)}`)}`;
  const parts = [
    `${options}${isUsual ? '' : `-X ${method} `}${url.includes('$') ? `"${url}"` : `'${url}'`}`,
    ...headersOf(step).map(({ name, variable, prefix }) => `-H "${name}: ${prefix}$${variable}"`),
    ...(step.body === undefined ? [] : [`-H 'Content-Type: application/json'`, shellBody(step)]),
  ];
  return `curl ${parts.join(' \\\n  ')}`;
}

/** Variables are only replaced in a here-document, so no body needs a quote that ends and starts again. */
function shellBody(step: SampleStep): string {
  const body = bodyOf(step, shellValue);
  return takenIds({ ...step, params: {} }).length === 0
    ? `-d '${body.replaceAll("'", String.raw`'\''`)}'`
    : `-d @- <<JSON\n${body}\nJSON`;
}

/** A here-document begins after the line of its command. */
function piped(command: string, filter: string): string {
  return command.includes(' <<JSON\n')
    ? `${command.replace(' <<JSON\n', () => ` <<JSON | ${filter}\n`)}\n`
    : `${command} |\n  ${filter}`;
}

/** The first value of this field in a response, with what every shell has. */
const firstOf = ({ field, isText }: TakenId): string =>
  isText
    ? `grep -o '"${field}":"[^"]*' | head -n 1 | cut -d '"' -f 4`
    : `grep -o '"${field}":[0-9]*' | head -n 1 | cut -d : -f 2`;
