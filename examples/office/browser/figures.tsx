import type { OfficePrice, PriceStats, Sales } from './resources.ts';

interface FiguresProps {
  readonly currency: string;
  readonly prices: readonly OfficePrice[];
  readonly stats: readonly PriceStats[];
  readonly sales: readonly Sales[];
}

interface Row {
  readonly price: OfficePrice;
  readonly sold: number;
  readonly attended: number;
  readonly gross: number;
}

/** Sales and admissions of an event: a table, and in it a bar for each price. */
export function Figures({ currency, prices, stats, sales }: FiguresProps) {
  const rows = prices.map((price): Row => {
    // Both lists have every price in the same order. Titles do not identify a price.
    const index = stats.findIndex(({ price_id }) => price_id === price.price_id);
    const { sold = 0, attended = 0 } = stats[index] ?? {};
    return { price, sold, attended, gross: sales[index]?.gross_sales ?? 0 };
  });
  const sum = (value: (row: Row) => number): number => rows.reduce((total, row) => total + value(row), 0);
  const whole = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    maximumFractionDigits: 0,
  });
  return (
    <section class="card" aria-labelledby="figures">
      <h2 id="figures">Sales and admissions</h2>
      <p class="legend" aria-hidden="true">
        {['sold', 'admitted', 'left'].map((part) => (
          <span key={part}>
            <span class={`key ${part}`} /> {part}
          </span>
        ))}
      </p>
      <table class="figures">
        <caption class="visually-hidden">Tickets by price</caption>
        <thead>
          <tr>
            <th scope="col">Price</th>
            <th scope="col">Sold</th>
            <th scope="col">Admitted</th>
            <th scope="col">Sales</th>
          </tr>
        </thead>
        {rows.map((row) => (
          <tbody key={row.price.price_id}>
            <tr>
              <th scope="row">
                {row.price.title} <span class="hint">{row.price.price_category_title}</span>
              </th>
              <td>{count(row.sold)}</td>
              <td>{count(row.attended)}</td>
              <td>{whole.format(row.gross)}</td>
            </tr>
            <tr>
              <td colSpan={4}>
                <Bar {...row} />
              </td>
            </tr>
          </tbody>
        ))}
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td>{count(sum(({ sold }) => sold))}</td>
            <td>{count(sum(({ attended }) => attended))}</td>
            <td>{whole.format(sum(({ gross }) => gross))}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

const count = (value: number): string => value.toLocaleString('en');

/** How much of a price is sold, and how many of these are inside. The whole bar is all places of the price. */
function Bar({ price, sold, attended }: Row) {
  const places = Math.max(price.capacity ?? sold + price.available, sold, 1);
  const share = (tickets: number): number => Math.round((1000 * tickets) / places) / 10;
  return (
    <svg
      class="bar-chart"
      viewBox="0 0 100 10"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${share(sold)} % sold, ${share(attended)} % admitted`}
    >
      <rect class="left" width="100" height="10" />
      <rect class="sold" width={share(sold)} height="10" />
      <rect class="admitted" width={share(attended)} y="5" height="5" />
    </svg>
  );
}
