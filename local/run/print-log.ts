import * as v from 'valibot';

const RequestLine = v.looseObject({
  message: v.picklist(['request', 'request failed']),
  operation: v.string(),
  status: v.number(),
  Latency: v.number(),
  read_units: v.number(),
  write_units: v.number(),
  org_id: v.optional(v.string(), '-'),
});

const WorkerLine = v.looseObject({
  level: v.literal('INFO'),
  message: v.string(),
  org_id: v.optional(v.string(), '-'),
  event_id: v.optional(v.string()),
  outcome: v.optional(v.string()),
  api_request_id: v.optional(v.string()),
});

/** Prints one short line per request and per step of a worker, and every other log line unchanged. Metrics of workers are not printed. */
export function printLog({ functionName, text }: { functionName: string; text: string }): void {
  if (text.startsWith('{"_aws"')) return;
  const parsed = parseJson(text);
  const request = v.safeParse(RequestLine, parsed);
  if (request.success) {
    const { operation, status, Latency, read_units, write_units, org_id, message } = request.output;
    console.log(`${status} ${operation} ${org_id} ${Latency} ms, ${read_units} read + ${write_units} write units`);
    if (message === 'request failed') console.log(text.trimEnd());
    return;
  }
  const step = v.safeParse(WorkerLine, parsed);
  if (!step.success) {
    console.log(`${functionName}: ${text.trimEnd()}`);
    return;
  }
  const { message, org_id, event_id, outcome, api_request_id } = step.output;
  const about = [org_id, event_id, outcome, api_request_id && `request ${api_request_id}`];
  console.log(`    ${message} ${about.filter(Boolean).join(' ')}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
