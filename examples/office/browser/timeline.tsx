import { useState } from 'preact/hooks';
import { WhenLoaded } from '../../site/browser/parts/notice.tsx';
import { nowMs } from '../../site/browser/state/config.ts';
import { useLoaded } from '../../site/browser/state/use-loaded.ts';
import { officeCall } from './api.ts';
import { Chart } from './chart.tsx';
import type { OfficeEvent, SalesPeriod, SalesSummary } from './resources.ts';

const charts = {
  days: { title: '14 days', per: 'day', query: 'per=day&periods=14' },
  weeks: { title: '12 weeks', per: 'week', query: 'per=week&periods=12' },
} as const;

const gateHours = 2;
const hourMs = 3_600_000;

/** The sales of an event before now, or before it took place if that is over, in the periods of this query. */
export function salesOf(event: Pick<OfficeEvent, 'event_id' | 'utc_event_start_date'>, query: string) {
  const endMs = Math.min(Date.parse(event.utc_event_start_date), nowMs());
  const path = `/v1/events/${event.event_id}/sales_summary?${query}&until_unix=${Math.ceil(endMs / 1000)}`;
  return officeCall<SalesSummary>('GET', path);
}

interface TimelineProps {
  readonly event: OfficeEvent;
  /** The last fortnight, which the page has loaded. */
  readonly days: readonly SalesPeriod[];
}

/** The sales of an event in the last days or weeks before now, or before it took place, and the scans at its gates. */
export function Timeline({ event, days }: TimelineProps) {
  const [chart, setChart] = useState<keyof typeof charts>('days');
  const { per, query } = charts[chart];
  const startMs = Date.parse(event.utc_event_start_date);
  const loaded = useLoaded(
    async () => (chart === 'days' ? days : (await salesOf(event, query)).periods),
    [event.event_id, chart, days],
  );
  const format = { weekday: 'short', day: 'numeric', month: 'short', timeZone: event.timezone } as const;
  return (
    <section class="card" aria-labelledby="timeline">
      <h2 id="timeline">Over time</h2>
      <p class="field">
        <label for="period">Period</label>
        <select
          id="period"
          value={chart}
          onInput={({ currentTarget }) => setChart(currentTarget.value === 'weeks' ? 'weeks' : 'days')}
        >
          {Object.entries(charts).map(([value, { title }]) => (
            <option key={value} value={value}>
              {startMs < nowMs() ? `${title} before the event` : `Last ${title}`}
            </option>
          ))}
        </select>
      </p>
      <WhenLoaded of={loaded} what="the sales">
        {(periods) => (
          <Chart
            title="Tickets sold"
            unit="tickets"
            per={per}
            bars={barsOf(periods, format, ({ tickets }) => tickets)}
          />
        )}
      </WhenLoaded>
      {nowMs() >= startMs - gateHours * hourMs && <GateChart event={event} startMs={startMs} />}
    </section>
  );
}

/** From two hours before the start until two hours after it. */
function GateChart({ event, startMs }: { readonly event: OfficeEvent; readonly startMs: number }) {
  const untilUnix = (startMs + gateHours * hourMs) / 1000;
  const query = `per=half_hour&periods=${4 * gateHours}&until_unix=${untilUnix}`;
  const loaded = useLoaded(
    () => officeCall<SalesSummary>('GET', `/v1/events/${event.event_id}/sales_summary?${query}`),
    [event.event_id],
  );
  const format = { hour: 'numeric', minute: '2-digit', timeZone: event.timezone } as const;
  return (
    <WhenLoaded of={loaded} what="the scans">
      {({ periods }) => (
        <Chart
          title="Scans at the gates"
          note="With those that were refused. The table above counts who was admitted."
          unit="scans"
          per="half hour"
          bars={barsOf(periods, format, ({ scans }) => scans)}
        />
      )}
    </WhenLoaded>
  );
}

function barsOf(
  periods: readonly SalesPeriod[],
  format: Intl.DateTimeFormatOptions,
  countOf: (period: SalesPeriod) => number,
) {
  const text = new Intl.DateTimeFormat('en-AU', format);
  return periods.map((period) => ({ label: text.format(period.from_unix * 1000), value: countOf(period) }));
}
