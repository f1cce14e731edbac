import { createHash } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';

/**
 * Returns a short text for a client address, the same for all addresses of one IPv6 /64, which one household or device has. It
 * is a digest, so the table does not contain addresses as they are.
 */
export function clientAddressId(sourceIp: string): string {
  return createHash('sha256').update(networkOf(sourceIp)).digest('base64url').slice(0, 16);
}

const mappedPattern = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

function networkOf(sourceIp: string): string {
  const address = mappedPattern.exec(sourceIp)?.[1] ?? sourceIp;
  if (isIPv4(address) || !isIPv6(address)) return address;
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const first = groups(head);
  // An IPv4 address in the last 32 bits is as long as two groups.
  const last = groups(tail ?? '').flatMap((group) => (group.includes('.') ? ['', ''] : [group]));
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - first.length - last.length }, () => '0');
  return [...first, ...zeros, ...last]
    .slice(0, 4)
    .map((group) => Number.parseInt(group || '0', 16).toString(16))
    .join(':');
}
