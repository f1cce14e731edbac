import { useEffect, useState } from 'preact/hooks';
import type { Phase } from '../../../site/browser/resources.ts';
import { nowMs } from '../../../site/browser/state/config.ts';
import { tickets } from '../../../site/browser/state/format.ts';
import { dateTime, timeUntil } from '../state/format.ts';

interface PhasesProps {
  readonly phases: readonly Phase[];
  readonly timeZone: string;
  /** Called when a phase has begun or ended: other prices are on sale then. */
  readonly onChange: () => void;
}

/** When tickets are on sale, and to whom, with the time until the next change. */
export function Phases({ phases, timeZone, onChange }: PhasesProps) {
  const [, setTicks] = useState(0);
  const nowUnix = Math.floor(nowMs() / 1000);
  const shown = phases.filter(({ until_unix }) => until_unix === null || until_unix > nowUnix);
  const times = shown.flatMap(({ from_unix, until_unix }) => [from_unix, until_unix]);
  const next = Math.min(...times.filter((unix) => unix !== null && unix > nowUnix).map(Number));

  useEffect(() => {
    const ticking = setInterval(() => setTicks((ticks) => ticks + 1), 1000);
    return () => clearInterval(ticking);
  }, []);
  useEffect(() => {
    // A second later, because the service counts whole seconds. A timer takes at most 24 days.
    const waitMs = next * 1000 - nowMs() + 1000;
    if (!(waitMs < 2 ** 31)) return;
    const changing = setTimeout(onChange, waitMs);
    return () => clearTimeout(changing);
  }, [next]);

  if (shown.length === 0) return null;
  return (
    <section class="stack" aria-label="When tickets are on sale">
      <h2>When tickets are on sale</h2>
      <ol class="stack">
        {shown.map((phase) => (
          <PhaseLine key={phase.phase_id} phase={phase} timeZone={timeZone} nowUnix={nowUnix} />
        ))}
      </ol>
    </section>
  );
}

interface LineProps {
  readonly phase: Phase;
  readonly timeZone: string;
  readonly nowUnix: number;
}

function PhaseLine({ phase, timeZone, nowUnix }: LineProps) {
  const { title, from_unix, until_unix } = phase;
  const isOpen = from_unix === null || from_unix <= nowUnix;
  const until = isOpen ? until_unix : from_unix;
  return (
    <li class={isOpen ? 'phase open' : 'phase'} {...(isOpen && { 'aria-current': 'time' })}>
      <span class="phase-text">
        <strong>{title}</strong>
        <span class="hint">{conditionsOf(phase).join(' · ')}</span>
        {!isOpen && <span class="hint">From {dateTime(Number(from_unix) * 1000, timeZone)}</span>}
      </span>
      <span class={isOpen ? 'tag good' : 'tag'}>
        {isOpen ? 'On sale now' : 'Opens in '}
        {isOpen && until !== null && ', for '}
        {until !== null && (
          <span class="time" role="timer" aria-live="off">
            {timeUntil(until - nowUnix)}
          </span>
        )}
      </span>
    </li>
  );
}

/** For whom a phase is, and how many tickets one person may buy. */
function conditionsOf({ requires, max_per_person }: Phase): readonly string[] {
  const { membership_type_ids, code_campaign_id, attribute } = requires;
  const needs = [
    ...(membership_type_ids === null ? [] : ['For members: sign in']),
    ...(code_campaign_id === null ? [] : ['With a code']),
    ...(attribute === null ? [] : [`From ${attribute.at_least} ${attribute.name.replaceAll('_', ' ')}: sign in`]),
  ];
  return [
    ...(needs.length === 0 ? ['For everyone'] : needs),
    ...(max_per_person === null ? [] : [`at most ${tickets(max_per_person)} for each person`]),
  ];
}
