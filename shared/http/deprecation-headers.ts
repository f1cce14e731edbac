import type { Deprecation } from '../operations/operation.ts';
import type { Headers } from './rate-limit-headers.ts';

/** Tells clients since when an operation is deprecated (RFC 9745) and when it ends (RFC 8594). */
export function deprecationHeaders(deprecation: Deprecation | undefined): Headers {
  if (deprecation === undefined) return {};
  const { since, sunset } = deprecation;
  return { Deprecation: `@${Date.parse(since) / 1000}`, Sunset: new Date(sunset).toUTCString() };
}
