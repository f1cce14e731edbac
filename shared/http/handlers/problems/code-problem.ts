import { type Problem, problem } from '../../problem.ts';

export const codeUnknown = (): Problem =>
  problem('code_unknown', 'There is no such code. Check how it is written.', { param: 'code' });
export const codeExpired = (): Problem =>
  problem('code_expired', 'This code is not valid any more.', { param: 'code' });
