import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import * as v from 'valibot';
import type { SourceMaps } from '../../lib/source-maps.ts';

/** What a log entry says about a failure: our own entries, and those of the Lambda runtime, whose stack is a list. */
const Entry = v.looseObject({
  message: v.optional(v.string()),
  release: v.optional(v.string()),
  reason: v.optional(v.string()),
  errorType: v.optional(v.string()),
  errorMessage: v.optional(v.string()),
  stack: v.optional(v.union([v.string(), v.array(v.string())])),
  trace: v.optional(v.array(v.string())),
});

/** One stack trace of the input. */
export interface FoundTrace {
  /** Only a log entry has one. */
  readonly release: string | undefined;
  readonly title: string | undefined;
  readonly lines: readonly string[];
}

/**
 * Finds the stack traces in a text: log lines in JSON, also behind the prefix that CloudWatch's console or `npm start` prints,
 * or a bare stack trace.
 */
export function findTraces(text: string): FoundTrace[] {
  const bare: string[] = [];
  const found: FoundTrace[] = [];
  for (const line of text.split(/\r?\n/)) {
    const trace = traceOfEntry(line);
    if (trace !== undefined) found.push(trace);
    else bare.push(line);
  }
  return bare.some((line) => frame.test(line))
    ? [...found, { release: undefined, title: undefined, lines: bare.filter((line) => line.trim() !== '') }]
    : found;
}

function traceOfEntry(line: string): FoundTrace | undefined {
  const from = line.indexOf('{');
  const entry = v.safeParse(Entry, from < 0 ? undefined : parseJson(line.slice(from)));
  if (!entry.success) return undefined;
  const { message, release, reason, errorType, errorMessage, stack, trace } = entry.output;
  const lines = typeof stack === 'string' ? stack.split('\n') : (stack ?? trace);
  if (lines === undefined) return undefined;
  const title = [message, reason, errorType, errorMessage].filter((part) => part !== undefined).join(': ');
  return { release, title: title === '' ? undefined : title, lines };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `at name (/var/task/check-out-basket.js:1:2345)`, or without a name and parentheses. */
const frame = /^\s*at (?:(.*?) )?\(?(?:file:\/\/)?(\S*?)([\w.-]+\.js):(\d+):(\d+)\)?$/;

/** Bundling shortens the names of functions, but not those of methods. */
const minified = /^(?:async )?(?:new )?[\w$]{1,3}$/;

/** Replaces each position in a bundle by its place in the sources. Other lines, such as Node's own frames, stay as they are. */
export function decodeLines(lines: readonly string[], { maps }: SourceMaps): string[] {
  const traced = new Map<string, TraceMap>();
  const mapOf = (file: string): TraceMap | undefined => {
    const map = maps[file];
    if (map === undefined) return undefined;
    const known = traced.get(file) ?? new TraceMap({ ...map, version: 3 });
    traced.set(file, known);
    return known;
  };
  return lines.map((line) => {
    const [, name, , file = '', row, column] = frame.exec(line) ?? [];
    const map = mapOf(file);
    if (map === undefined) return line;
    // Stack traces count columns from 1, source maps from 0.
    const place = originalPositionFor(map, { line: Number(row), column: Number(column) - 1 });
    if (place.source === null) return line;
    const position = `${place.source}:${place.line}:${place.column + 1}`;
    return name === undefined || minified.test(name) ? `    at ${position}` : `    at ${name} (${position})`;
  });
}
