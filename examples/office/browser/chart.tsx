/** One bar, with what it stands for: 14 November. */
export interface BarOfChart {
  readonly label: string;
  readonly value: number;
}

interface ChartProps {
  readonly title: string;
  /** What is counted: tickets. */
  readonly unit: string;
  /** What a bar stands for: day. */
  readonly per: string;
  readonly bars: readonly BarOfChart[];
  readonly note?: string;
}

const height = 100;
/** Of 10 units of width, a bar leaves one free on each side. */
const [width, gap] = [10, 1];

/** Figures over time as bars. The same figures are in a table, for everyone who wants to read them. */
export function Chart({ title, unit, per, bars, note }: ChartProps) {
  const most = Math.max(...bars.map(({ value }) => value), 1);
  const total = bars.reduce((sum, { value }) => sum + value, 0);
  const best = bars.find(({ value }) => value === most);
  const [first, last] = [bars[0]?.label, bars.at(-1)?.label];
  const amount = (value: number): string => `${count(value)} ${value === 1 ? unit.replace(/s$/, '') : unit}`;
  const summary = `${title}, ${first} to ${last}: ${amount(total)}${best === undefined ? '' : `, most of them ${best.label}: ${count(best.value)}`}`;
  const caption = (
    <figcaption>
      {title} <span class="hint">{note}</span>
    </figcaption>
  );
  if (total === 0) {
    return (
      <figure class="chart">
        {caption}
        <p class="scale">
          No {unit} from {first} to {last}.
        </p>
      </figure>
    );
  }
  return (
    <figure class="chart">
      {caption}
      <p class="scale" aria-hidden="true">
        at most {amount(most)} per {per}
      </p>
      <svg viewBox={`0 0 ${bars.length * width} ${height}`} preserveAspectRatio="none" role="img" aria-label={summary}>
        {bars.map(({ label, value }, index) => (
          <rect
            key={label}
            x={index * width + gap}
            width={width - 2 * gap}
            y={height - (height * value) / most}
            height={(height * value) / most}
          >
            <title>{`${label}: ${amount(value)}`}</title>
          </rect>
        ))}
      </svg>
      <p class="scale ends" aria-hidden="true">
        <span>{first}</span>
        <span>{last}</span>
      </p>
      <details>
        <summary>
          {amount(total)} by {per}
        </summary>
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">{per === 'day' ? 'Day' : 'From'}</th>
              <th scope="col">{unit}</th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ label, value }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{count(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

const count = (value: number): string => value.toLocaleString('en');
