/**
 * Stands in every bundle in the place of `node:stream/web` (lib/bundle.ts), of which middy needs one thing: to ask whether a
 * response's body is a ReadableStream. Node loads its streams of the web when somebody first names them, so that is put off
 * until somebody asks.
 */
export const ReadableStream = {
  [Symbol.hasInstance]: (value: unknown): boolean => value instanceof globalThis.ReadableStream,
};
