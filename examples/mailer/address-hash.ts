import { createHmac, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const leastCharacters = 32;

/**
 * What stands for an address in the names of rows and in a log. It needs the key: a plain hash would tell whoever reads the table whether an
 * address is in it, because addresses can be tried.
 */
export function addressHash(key: string, address: string): string {
  if (key.length < leastCharacters)
    throw new Error(`The key of addresses has fewer than ${leastCharacters} characters.`);
  return createHmac('sha256', key).update(address.trim().toLowerCase()).digest('hex').slice(0, 32);
}

/** The key of a mailer on a machine of its own, made at its first start. Only the owner of the file may read it. */
export function keptAddressKey(folder: string): string {
  const file = join(folder, 'address-key');
  const made = `${file}.${process.pid}`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(made, randomBytes(32).toString('hex'), { mode: 0o600 });
  try {
    // It is there as a whole or not at all, and the first of two that start at once wins.
    linkSync(made, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(made);
  }
  return readFileSync(file, 'utf8');
}
