/**
 * Replaces `node:stream/web` in every bundle (lib/bundle.ts). middy uses it only to check whether a response body is a
 * ReadableStream. Node loads its web streams at the first access, so this shim delays the access until that check.
 */
export const ReadableStream = {
  [Symbol.hasInstance]: (value: unknown): boolean => value instanceof globalThis.ReadableStream,
};
