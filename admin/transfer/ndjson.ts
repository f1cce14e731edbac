import { isRecord } from '../../shared/operations/schema-shape.ts';

/** One line of an NDJSON file, or why there is none. */
export type JsonLine =
  | { readonly line: number; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly line: number; readonly problem: string };

const longestLine = 1_000_000;

/** Reads one JSON object per line. Empty lines are passed over; nothing but the current line is kept. */
export async function* readNdjson(chunks: AsyncIterable<string>): AsyncGenerator<JsonLine> {
  let line = 1;
  let rest = '';
  for await (const chunk of chunks) {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    for (const text of parts) {
      yield* parseLine(line, text);
      line += 1;
    }
    if (rest.length > longestLine) {
      yield { line, problem: 'The line is longer than a million characters. Nothing after it was read.' };
      return;
    }
  }
  yield* parseLine(line, rest);
}

function* parseLine(line: number, raw: string): Generator<JsonLine> {
  const text = (line === 1 ? raw.replace(/^\uFEFF/, '') : raw).trim();
  if (text === '') return;
  try {
    const fields: unknown = JSON.parse(text);
    yield isRecord(fields) ? { line, fields } : { line, problem: 'The line is no JSON object.' };
  } catch {
    yield { line, problem: 'The line is no valid JSON.' };
  }
}
