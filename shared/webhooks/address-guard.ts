import ipaddr from 'ipaddr.js';

/** Whether webhooks may be sent to a receiver on the same machine, over http too. Only the local run allows it. */
export interface GuardOptions {
  readonly allowLoopback: boolean;
}

/**
 * The only part of IPv6 that is allocated. ipaddr.js calls addresses outside of it unicast too, and an operating system may
 * use some of them (::/96) as the IPv4 address that they contain.
 */
const globalIpv6 = ipaddr.parseCIDR('2000::/3');

/**
 * Why nothing may be sent to this address; undefined for an address of the public internet. Every other address is refused:
 * private, loopback, link-local, mapped, translated, reserved.
 */
export function forbiddenAddress(text: string, { allowLoopback }: GuardOptions): string | undefined {
  if (!ipaddr.isValid(text)) return `${text} is not an IP address.`;
  const address = ipaddr.parse(text);
  const range = address.range();
  if (allowLoopback && range === 'loopback') return undefined;
  if (range === 'unicast' && (address.kind() === 'ipv4' || address.match(globalIpv6))) return undefined;
  return `${text} is not a public IP address.`;
}

/** Names that refer to the same machine or a private network on every network. */
const privateNames = /(^|\.)(localhost|local|internal|home\.arpa)$/;
const maxUrlLength = 2_048;

/** Why events may not be sent to this URL, as the end of a sentence that starts with the parameter's name; undefined when they may. */
export function forbiddenUrl(text: string, options: GuardOptions): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return 'must be an absolute https URL.';
  // The encoded URL is stored and called. Encoding makes a non-ASCII character up to nine times as long.
  if (url.href.length > maxUrlLength) return `must have at most ${maxUrlLength} characters after URL encoding.`;
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or a password.';
  const host = hostOf(url);
  const isLoopback = options.allowLoopback && isLoopbackHost(host);
  if (url.protocol !== 'https:' && !isLoopback) return 'must start with https://.';
  if (isLoopback) return undefined;
  return isForbiddenPort(url) ? 'must have port 443 or a port above 1023.' : forbiddenHost(host, options);
}

/** Below 1024 are services of other kinds, such as mail and shells: no webhook receiver listens there. */
function isForbiddenPort({ port }: URL): boolean {
  return port !== '' && Number(port) <= 1_023;
}

function forbiddenHost(host: string, options: GuardOptions): string | undefined {
  if (ipaddr.isValid(host)) {
    return forbiddenAddress(host, options) === undefined
      ? undefined
      : 'must not contain a private or reserved IP address.';
  }
  const labels = host.split('.');
  const isPublicName = labels.length > 1 && !labels.includes('') && !privateNames.test(host);
  return isPublicName ? undefined : 'must contain a public host name.';
}

/** The URL parser has already normalised every notation of an IPv4 address, such as 0x7f.1 or 2130706433. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || (ipaddr.isValid(host) && ipaddr.parse(host).range() === 'loopback');
}
