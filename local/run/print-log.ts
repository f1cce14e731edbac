import * as v from 'valibot';

const RequestLine = v.looseObject({
  message: v.picklist(['request', 'request failed']),
  operation: v.string(),
  status: v.number(),
  duration_ms: v.number(),
  read_units: v.number(),
  write_units: v.number(),
  org_id: v.optional(v.string(), '-'),
});

/** Prints one short line per request and every other log line unchanged. Metrics are not printed. */
export function printLog({ functionName, text }: { functionName: string; text: string }): void {
  const parsed = parseJson(text);
  if (typeof parsed === 'object' && parsed !== null && '_aws' in parsed) return;
  const line = v.safeParse(RequestLine, parsed);
  if (!line.success) {
    console.log(`${functionName}: ${text.trimEnd()}`);
    return;
  }
  const { operation, status, duration_ms, read_units, write_units, org_id, message } = line.output;
  console.log(`${status} ${operation} ${org_id} ${duration_ms} ms, ${read_units} read + ${write_units} write units`);
  if (message === 'request failed') console.log(text.trimEnd());
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
