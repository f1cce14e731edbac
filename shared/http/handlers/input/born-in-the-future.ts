import { type Problem, problem } from '../../problem.ts';

export function bornInTheFuture(param: string): Problem {
  return problem('parameter_invalid', `The parameter ${param} is in the future.`, { param });
}
