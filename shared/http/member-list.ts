import { type Problem, problem } from './problem.ts';

/** About what a member takes in a response, and how much of that compression leaves. */
const bytesPerMember = 1_100;
const compressedShare = 0.2;
const mostResponseBytes = 200 * 1024 * 1024;

/** Judged before the first byte: a list that breaks off at Lambda's limit would be of no use. */
export function fitsOneResponse(members: number, compressed: boolean): boolean {
  return members * bytesPerMember * (compressed ? compressedShare : 1) <= mostResponseBytes;
}

export function tooManyMembers(members: number): Problem {
  return problem(
    'too_many_members',
    `About ${members} members do not fit into one response. Give limit, and cursor from page to page.`,
    {
      param: 'limit',
    },
  );
}
