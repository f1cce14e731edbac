import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as v from 'valibot';
import { getHeaderValues } from '../headers.ts';

const HeaderName = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9-]{1,64}$/, 'A header name has letters, digits and hyphens.'),
);
const Hash = v.pipe(
  v.string(),
  v.regex(/^[0-9a-f]{64}$/, 'The SHA-256 of a secret is 64 lower-case hexadecimal digits.'),
);

const TrustedCdn = v.strictObject({
  /** The header in which the CDN sends the address of the client, such as `CloudFront-Viewer-Address`. */
  addressHeader: HeaderName,
  /** The header that only the CDN sends. Its secret proves that a request came through the CDN. */
  secretHeader: HeaderName,
  /**
   * The SHA-256 of each accepted secret; two while a secret is replaced. The secret itself is not in the template, and nothing
   * has to be read to verify it. It needs at least 128 random bits.
   */
  secretHashes: v.pipe(v.array(Hash), v.minLength(1, 'A CDN needs the SHA-256 of its secret.')),
});

/** The CDN in front of a stage, which knows the addresses of clients. */
export type TrustedCdn = v.InferOutput<typeof TrustedCdn>;

/** The CDN as an environment variable. Throws if the configuration is invalid. */
export function formatCdn(cdn: TrustedCdn | undefined): string {
  return cdn === undefined ? 'none' : JSON.stringify(v.parse(TrustedCdn, cdn));
}

export function parseCdn(text: string): TrustedCdn | undefined {
  return text === 'none' ? undefined : v.parse(TrustedCdn, JSON.parse(text));
}

/**
 * The address of the client: that of the connection to API Gateway, or what the CDN says if the request proves that it came
 * through the CDN. Without a CDN no header is read, because clients can send any.
 */
export function getClientAddress(event: APIGatewayProxyEvent, cdn: TrustedCdn | undefined): string {
  const { sourceIp } = event.requestContext.identity;
  if (cdn === undefined) return sourceIp;
  const secret = singleValue(event, cdn.secretHeader);
  if (secret === undefined || !cdn.secretHashes.includes(sha256(secret))) return sourceIp;
  const sent = singleValue(event, cdn.addressHeader) ?? '';
  const address = hasPort(cdn) ? withoutPort(sent) : sent;
  return isIP(address) === 0 ? sourceIp : address;
}

/** CloudFront adds the port, after a colon also to IPv6 addresses. Other CDNs send the address alone. */
function hasPort({ addressHeader }: TrustedCdn): boolean {
  return addressHeader.toLowerCase() === 'cloudfront-viewer-address';
}

function withoutPort(text: string): string {
  return text.slice(0, Math.max(0, text.lastIndexOf(':')));
}

/** A CDN replaces what a client has sent, so there is one value. */
function singleValue(event: APIGatewayProxyEvent, header: string): string | undefined {
  const [value, ...others] = getHeaderValues(event, header.toLowerCase());
  return others.length === 0 ? value : undefined;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
