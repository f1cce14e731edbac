import type { PhaseRefusal } from '../../../domain/baskets/phase-refusal.ts';
import {
  type MissingRequirement,
  type Phase,
  type PhaseRequirements,
  phaseIdOf,
} from '../../../domain/phases/phase.ts';
import { type Problem, problem } from '../../problem.ts';

/** The problem that reports why tickets are not sold now, or not to this buyer: a page can show it to the fan. */
export function phaseProblem(refusal: PhaseRefusal): Problem {
  switch (refusal.reason) {
    case 'phase_not_open': {
      const { title, next } = refusal;
      const when = opens(next) ?? 'There is no further phase of its sale.';
      return problem('phase_not_open', `${title} is not on sale now. ${when} Nothing was changed.`, {
        phase: {
          phase_id: null,
          title: next?.title ?? null,
          next_phase_from_unix: next?.fromUnix ?? null,
          missing: [],
        },
      });
    }
    case 'not_eligible': {
      const { title, eventId, phase, next, missing } = refusal;
      const lacks = [...missing.map((one) => advice[one](phase.requires)), opens(next) ?? []].flat().join(' ');
      return problem(
        'not_eligible',
        `${title} is on sale to others now: "${phase.title}". ${lacks} Nothing was changed.`,
        {
          phase: {
            phase_id: phaseIdOf(eventId, phase.number),
            title: phase.title,
            next_phase_from_unix: next?.fromUnix ?? null,
            missing: [...missing],
          },
        },
      );
    }
  }
}

const opens = (next: Phase | undefined): string | undefined =>
  next && `"${next.title}" opens at ${new Date((next.fromUnix ?? 0) * 1000).toISOString().replace('.000', '')}.`;

const advice: Readonly<Record<MissingRequirement, (requires: PhaseRequirements) => string>> = {
  membership: () => 'It needs a membership: sign in as a member, or put the membership into the basket.',
  code: () => 'It needs a code: apply the code first.',
  attribute: ({ attribute }) =>
    `It needs ${attribute?.name ?? 'an attribute'} of at least ${attribute?.atLeast ?? 0}: sign in as a customer who has it.`,
};
