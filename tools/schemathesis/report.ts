import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { operations } from '../../shared/operations/registry.ts';
import type { Refusal } from './exceptions.ts';

/** A response that differs from what the OpenAPI document promises. */
export interface Finding extends Refusal {
  readonly status: number | null;
  readonly message: string;
  readonly request: string;
}

const Encoded = v.nullish(v.looseObject({ $base64: v.optional(v.string(), '') }));
const Interaction = v.looseObject({
  request: v.looseObject({ method: v.string(), uri: v.string(), body: Encoded }),
  response: v.nullish(v.looseObject({ status_code: v.number(), content: Encoded })),
});
const Case = v.looseObject({
  value: v.looseObject({
    path: v.string(),
    method: v.string(),
    meta: v.nullish(v.looseObject({ generation: v.looseObject({ mode: v.string() }) })),
  }),
});
const Check = v.looseObject({
  name: v.string(),
  status: v.string(),
  failure_info: v.nullish(v.looseObject({ failure: v.looseObject({ title: v.string(), message: v.string() }) })),
});
const Recorder = v.looseObject({
  cases: v.optional(v.record(v.string(), Case), {}),
  interactions: v.optional(v.record(v.string(), Interaction), {}),
  checks: v.optional(v.record(v.string(), v.array(Check)), {}),
});
const Line = v.looseObject({
  ScenarioFinished: v.optional(v.looseObject({ recorder: v.nullish(Recorder) })),
});
const ErrorBody = v.looseObject({
  error: v.looseObject({ code: v.string(), param: v.nullable(v.string()), message: v.string() }),
});

export interface Report {
  readonly requests: number;
  readonly findings: readonly Finding[];
}

/** Reads the report of a run. It has one line per scenario, with all its requests, responses and checks. */
export async function readReport(file: string): Promise<Report> {
  let requests = 0;
  const findings: Finding[] = [];
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const recorder = v.parse(Line, JSON.parse(line)).ScenarioFinished?.recorder;
    if (!recorder) continue;
    for (const [id, { value }] of Object.entries(recorder.cases)) {
      const interaction = recorder.interactions[id];
      if (interaction === undefined) continue;
      requests += 1;
      const failed = (recorder.checks[id] ?? []).filter(({ status }) => status !== 'success');
      const checks = failed.map(({ name, failure_info }) => ({
        check: name,
        text: failure_info?.failure.message ?? '',
      }));
      // schemathesis reports a refusal once per operation. The others may have other reasons.
      const isRefused = value.meta?.generation.mode === 'positive' && !isExpected(interaction.response?.status_code);
      const names = checks.map(({ check }) => check);
      if (isRefused && !names.includes(acceptance)) checks.push({ check: acceptance, text: '' });
      findings.push(...checks.map(({ check, text }) => findingOf(check, text, value, interaction)));
    }
  }
  return { requests, findings };
}

const acceptance = 'positive_data_acceptance';

/** What a valid request may get: success, or that something does not exist, is not allowed, conflicts or exceeds a limit. */
function isExpected(status: number | undefined): boolean {
  return status !== undefined && (status < 400 || [401, 403, 404, 409, 412, 429].includes(status));
}

function findingOf(
  check: string,
  text: string,
  { method, path }: v.InferOutput<typeof Case>['value'],
  { request, response }: v.InferOutput<typeof Interaction>,
): Finding {
  const error = errorOf(decoded(response?.content));
  const operation = operations.find((entry) => entry.method === method && entry.paths.includes(path));
  return {
    check,
    operation: operation?.id ?? `${method} ${path}`,
    code: error?.code ?? null,
    param: error?.param ?? null,
    status: response?.status_code ?? null,
    message: error?.message ?? text,
    request: `${request.method} ${request.uri} ${decoded(request.body)}`.slice(0, 1_000),
  };
}

function decoded(content: v.InferOutput<typeof Encoded>): string {
  return Buffer.from(content?.$base64 ?? '', 'base64').toString();
}

function errorOf(body: string): v.InferOutput<typeof ErrorBody>['error'] | undefined {
  try {
    const parsed = v.safeParse(ErrorBody, JSON.parse(body));
    return parsed.success ? parsed.output.error : undefined;
  } catch {
    return undefined;
  }
}
