import { useState } from 'preact/hooks';
import { Link } from '../../site/browser/parts/link.tsx';
import { Notice, WhenLoaded } from '../../site/browser/parts/notice.tsx';
import { Page } from '../../site/browser/parts/page.tsx';
import type { List, Organisation } from '../../site/browser/resources.ts';
import { nowMs } from '../../site/browser/state/config.ts';
import { secondOf } from '../../site/browser/state/format.ts';
import { useLoaded } from '../../site/browser/state/use-loaded.ts';
import { officeCall } from './api.ts';
import { csvCell } from './csv.ts';
import { OpenMoney } from './open-money.tsx';
import type { Takings } from './resources.ts';

const lengths = [4, 8, 12, 24, 48];
const kinds: Readonly<Record<string, string>> = {
  cash: 'Cash',
  terminal: 'Card terminal',
  bank_transfer: 'Bank transfer',
  other: 'Other',
};

/** The end of a shift: what each till should have. */
export function TakingsPage({ organisation }: { readonly organisation: Organisation }) {
  const [hours, setHours] = useState(12);
  const [station, setStation] = useState('');
  const until = Math.floor(nowMs() / 1000) - 10;
  const query = `unix_start=${until - hours * 3_600}&unix_end=${until}${station && `&station=${encodeURIComponent(station)}`}`;
  const loaded = useLoaded(() => officeCall<List<Takings>>('GET', `/v1/takings?${query}`), [hours, station]);
  return (
    <Page
      title="End of the shift"
      intro="What the counters took and returned, from the journal: until ten seconds ago."
    >
      <div class="request-filter">
        <label class="field">
          Of the last
          <select value={hours} onChange={({ currentTarget }) => setHours(Number(currentTarget.value))}>
            {lengths.map((length) => (
              <option key={length} value={length}>
                {length} hours
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          Till
          <input value={station} onChange={({ currentTarget }) => setStation(currentTarget.value.trim())} />
          <span class="hint">Empty for all.</span>
        </label>
      </div>
      <WhenLoaded of={loaded} what="the takings">
        {({ data }) =>
          data.length === 0 ? (
            <Notice title="Nothing was taken" />
          ) : (
            <section class="card" aria-label="Takings">
              <TakingsTable rows={data} />
              <p class="hint">Until {secondOf(until, organisation.timezone)}</p>
              <p>
                <a class="button" download={`takings-${until}.csv`} href={csvOf(data)}>
                  Save as CSV
                </a>
              </p>
            </section>
          )
        }
      </WhenLoaded>
      <OpenMoney timeZone={organisation.timezone} />
      <p>
        <Link to="/office/counter">Back to the counter</Link>
      </p>
    </Page>
  );
}

function TakingsTable({ rows }: { readonly rows: readonly Takings[] }) {
  return (
    <table class="figures takings">
      <caption class="visually-hidden">Takings by till, operator and kind</caption>
      <thead>
        <tr>
          <th scope="col">Till</th>
          <th scope="col">Taken</th>
          <th scope="col">Returned</th>
          <th scope="col">Net</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ currency, kind, station, operator, sales, refunds, net, orders }) => {
          const amount = (value: number) =>
            new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).format(value);
          return (
            <tr key={JSON.stringify([currency, kind, station, operator])}>
              <th scope="row">
                {station ?? 'No till named'}, {kinds[kind] ?? kind}
                <span class="hint">
                  {operator === null ? 'nobody named' : `staff ${operator}`} ·{' '}
                  {orders === 1 ? '1 order' : `${orders} orders`}
                </span>
              </th>
              <td>{amount(sales)}</td>
              <td>{amount(refunds)}</td>
              <td>{amount(net)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const columns = ['currency', 'kind', 'station', 'operator', 'sales', 'refunds', 'net', 'orders'] as const;

function csvOf(rows: readonly Takings[]): string {
  const lines = [columns.join(','), ...rows.map((row) => columns.map((column) => csvCell(row[column])).join(','))];
  return `data:text/csv;charset=utf-8,${encodeURIComponent(`${lines.join('\r\n')}\r\n`)}`;
}
