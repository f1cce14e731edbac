import { type Problem, problem } from '../../problem.ts';

/** The approximate size of a member in a response, and the share of it that remains after compression. */
const bytesPerMember = 1_100;
const compressedShare = 0.2;
const maxResponseBytes = 200 * 1024 * 1024;

/** How many members fit in one response: Lambda cuts off a longer one. */
export function maxMembersOf({ compressed }: { readonly compressed: boolean }): number {
  return maxResponseBytes / (bytesPerMember * (compressed ? compressedShare : 1));
}

export function tooManyMembers(count: number): Problem {
  const message = `About ${count} members do not fit in one response. Send limit, and cursor for each further page.`;
  return problem('too_many_members', message, { param: 'limit' });
}
