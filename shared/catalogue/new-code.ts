import { randomBytes } from 'node:crypto';

/** A code for an object that got none. Nobody types it, and no file has it by chance. */
export function newCode(): string {
  return `api-${randomBytes(9).toString('base64url')}`;
}
