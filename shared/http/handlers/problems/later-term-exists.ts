import { type Problem, problem } from '../../problem.ts';

/** The problem of a refund or a cancellation of a term that is followed by another. */
export function laterTermExists(memberIds: readonly number[], param = 'membership_member_ids'): Problem {
  const message = `The members ${memberIds.join(', ')} have a later term. Nothing was changed. List the terms of each member, and refund the order of the last one first.`;
  return problem('later_term_exists', message, { param });
}
