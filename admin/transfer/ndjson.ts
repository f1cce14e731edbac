import { Transform } from 'node:stream';
import { isRecord } from '../../shared/operations/schema-shape.ts';
import { maxLineBytes } from './long-lines.ts';

/** One line of an NDJSON file, or why it cannot be read. */
export type JsonLine =
  | { readonly line: number; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly line: number; readonly problem: string };

/** Reads one JSON object per line and skips empty lines. Only the current line is in memory. */
export async function* readNdjson(chunks: AsyncIterable<Buffer>): AsyncGenerator<JsonLine> {
  const decoder = new TextDecoder('utf-8');
  let line = 1;
  let rest = '';
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    for (const text of parts) {
      yield* parseLine(line, text);
      line += 1;
    }
  }
  yield* parseLine(line, rest + decoder.decode());
}

function* parseLine(line: number, text: string): Generator<JsonLine> {
  if (text.trim() === '') return;
  if (text.length >= maxLineBytes) {
    yield { line, problem: `The line is longer than ${maxLineBytes.toLocaleString('en')} characters.` };
    return;
  }
  try {
    const fields: unknown = JSON.parse(text);
    yield isRecord(fields) ? { line, fields } : { line, problem: 'The line is not a JSON object.' };
  } catch {
    yield { line, problem: 'The line is not valid JSON.' };
  }
}

export function ndjsonWriter(): Transform {
  return new Transform({
    writableObjectMode: true,
    transform: (row, _encoding, done) => done(null, `${JSON.stringify(row)}\n`),
  });
}
