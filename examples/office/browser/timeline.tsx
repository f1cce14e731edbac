import { useState } from 'preact/hooks';
import { WhenLoaded } from '../../site/browser/parts/notice.tsx';
import type { List } from '../../site/browser/resources.ts';
import { nowMs } from '../../site/browser/state/config.ts';
import { useLoaded } from '../../site/browser/state/use-loaded.ts';
import { officeCall } from './api.ts';
import { Chart } from './chart.tsx';
import type { OfficeEvent, Sales } from './resources.ts';
import { dayWindows, gatesOpenMs, gateWindows, queryOf, type Window } from './windows.ts';

const periods = {
  days: { title: '14 days', per: 'day', shape: { count: 14, days: 1 } },
  weeks: { title: '12 weeks', per: 'week', shape: { count: 12, days: 7 } },
} as const;

/** The sales of an event in the last days or weeks before now, or before it took place, and the scans at its gates. */
export function Timeline({ event }: { readonly event: OfficeEvent }) {
  const [period, setPeriod] = useState<keyof typeof periods>('days');
  const startMs = Date.parse(event.utc_event_start_date);
  const hasGates = nowMs() >= startMs - gatesOpenMs;
  return (
    <section class="card" aria-labelledby="timeline">
      <h2 id="timeline">Over time</h2>
      <p class="field">
        <label for="period">Period</label>
        <select
          id="period"
          value={period}
          onInput={({ currentTarget }) => setPeriod(currentTarget.value === 'weeks' ? 'weeks' : 'days')}
        >
          {Object.entries(periods).map(([value, { title }]) => (
            <option key={value} value={value}>
              {startMs < nowMs() ? `${title} before the event` : `Last ${title}`}
            </option>
          ))}
        </select>
      </p>
      <SalesChart event={event} endMs={Math.min(startMs, nowMs())} {...periods[period]} />
      {hasGates && <GateChart event={event} startMs={startMs} />}
    </section>
  );
}

interface SalesChartProps {
  readonly event: OfficeEvent;
  readonly endMs: number;
  readonly per: string;
  readonly shape: { readonly count: number; readonly days: number };
}

function SalesChart({ event: { event_id, timezone }, endMs, per, shape }: SalesChartProps) {
  const day = new Intl.DateTimeFormat('en-AU', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: timezone,
  });
  const loaded = useLoaded(
    () =>
      barsOf(dayWindows(endMs, timezone, shape), day, async (query) => {
        const { data } = await officeCall<List<Sales>>('GET', `/v1/events/${event_id}/sales_summary?${query}`);
        return data.reduce((sum, { tickets }) => sum + tickets, 0);
      }),
    [event_id, per],
  );
  return (
    <WhenLoaded of={loaded} what="the sales">
      {(bars) => <Chart title="Tickets sold" unit="tickets" per={per} bars={bars} />}
    </WhenLoaded>
  );
}

function GateChart({
  event: { event_id, timezone },
  startMs,
}: {
  readonly event: OfficeEvent;
  readonly startMs: number;
}) {
  const time = new Intl.DateTimeFormat('en-AU', { hour: 'numeric', minute: '2-digit', timeZone: timezone });
  const loaded = useLoaded(
    () =>
      barsOf(gateWindows(startMs), time, async (query) => {
        const { total } = await officeCall<{ total: number }>('GET', `/v1/events/${event_id}/scans?limit=1&${query}`);
        return total;
      }),
    [event_id],
  );
  return (
    <WhenLoaded of={loaded} what="the scans">
      {(bars) => (
        <Chart
          title="Scans at the gates"
          note="With those that were refused. The table above counts who was admitted."
          unit="scans"
          per="half hour"
          bars={bars}
        />
      )}
    </WhenLoaded>
  );
}

/** The API sums up any range of time, so each bar is a call. */
function barsOf(windows: readonly Window[], format: Intl.DateTimeFormat, sum: (query: string) => Promise<number>) {
  return Promise.all(
    windows.map(async (window) => ({ label: format.format(window.fromMs), value: await sum(queryOf(window)) })),
  );
}
