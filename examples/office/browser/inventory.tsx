import type { Inventory } from './resources.ts';

const parts = [
  ['sold', 'sold'],
  ['held', 'held'],
  ['blocked', 'blocked'],
  ['members', 'of members'],
  ['free', 'free'],
] as const satisfies readonly (readonly [keyof Inventory, string])[];

const count = (value: number): string => value.toLocaleString('en');

/** Where the places of an event are: a bar for each price, pool or zone, and its figures below. */
export function InventoryBars({ rows }: { readonly rows: readonly Inventory[] }) {
  return (
    <section class="card" aria-labelledby="inventory">
      <h2 id="inventory">Places</h2>
      <p class="legend" aria-hidden="true">
        {parts.map(([part, name]) => (
          <span key={part}>
            <span class={`key ${part}`} /> {name}{' '}
          </span>
        ))}
      </p>
      <ul class="inventory">
        {rows.map((row) => (
          <li key={`${row.kind} ${row.prices[0]?.price_id ?? ''} ${row.title}`}>
            <strong>
              {row.title}
              {row.kind === 'price' && <span class="hint"> {row.prices[0]?.category_title}</span>}
            </strong>
            <Bar row={row} />
            <p class="hint">
              {count(row.capacity)} places: {figuresOf(row)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function figuresOf(row: Inventory): string {
  const within: Readonly<Partial<Record<string, string>>> = {
    sold: row.complimentary > 0 ? ` (${count(row.complimentary)} complimentary)` : '',
    held: row.offered > 0 ? ` (${count(row.offered)} offered)` : '',
  };
  return parts
    .filter(([part]) => row[part] > 0 || part === 'free')
    .map(([part, name]) => `${count(row[part])} ${name}${within[part] ?? ''}`)
    .join(', ');
}

function Bar({ row }: { readonly row: Inventory }) {
  let left = 0;
  return (
    <svg class="bar-chart" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      {parts.map(([part]) => {
        const [x, width] = [left, (100 * row[part]) / Math.max(1, row.capacity)];
        left += width;
        return <rect key={part} class={part} x={x} width={width} height="10" />;
      })}
    </svg>
  );
}
