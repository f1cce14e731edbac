import ipaddr from 'ipaddr.js';

/** Whether receivers on this very machine are allowed, over http too: the local run says yes, and nothing else does. */
export interface GuardOptions {
  readonly allowLoopback: boolean;
}

/**
 * All that was ever given out of IPv6. What lies outside counts as unicast too, and some of it (::/96) an operating system
 * may take for the IPv4 address in it.
 */
const globalIpv6 = ipaddr.parseCIDR('2000::/3');

/**
 * Why nothing may be sent to this address; undefined when it is an address of the public internet. Everything that is not
 * plainly public is refused: private, loopback, link-local, mapped, translated, reserved.
 */
export function forbiddenAddress(text: string, { allowLoopback }: GuardOptions): string | undefined {
  if (!ipaddr.isValid(text)) return `${text} is not an IP address.`;
  const address = ipaddr.parse(text);
  const range = address.range();
  if (allowLoopback && range === 'loopback') return undefined;
  if (range === 'unicast' && (address.kind() === 'ipv4' || address.match(globalIpv6))) return undefined;
  return `${text} is not a public IP address.`;
}

/** Names that mean this machine or a private network wherever they are looked up. */
const privateNames = /(^|\.)(localhost|local|internal|home\.arpa)$/;
const longestUrl = 2_048;

/** Why events may not be posted to this URL, in words that fit after the parameter's name; undefined when they may. */
export function forbiddenUrl(text: string, options: GuardOptions): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return 'must be an absolute https URL.';
  // As it is kept and called: what is not ASCII becomes up to nine times as long.
  if (url.href.length > longestUrl) return `must have at most ${longestUrl} characters after URL encoding.`;
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or a password.';
  const host = hostOf(url);
  const isLoopback = options.allowLoopback && isLoopbackHost(host);
  if (url.protocol !== 'https:' && !isLoopback) return 'must start with https://.';
  return isLoopback ? undefined : forbiddenHost(host, options);
}

function forbiddenHost(host: string, options: GuardOptions): string | undefined {
  if (ipaddr.isValid(host)) {
    return forbiddenAddress(host, options) === undefined
      ? undefined
      : 'must not contain a private or reserved IP address.';
  }
  const isPublicName = host.includes('.') && !privateNames.test(host);
  return isPublicName ? undefined : 'must contain a public host name.';
}

/** The URL parser has already turned every notation of an IPv4 address, such as 0x7f.1 or 2130706433, into the plain one. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || (ipaddr.isValid(host) && ipaddr.parse(host).range() === 'loopback');
}
