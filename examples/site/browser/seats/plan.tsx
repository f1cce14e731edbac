import type { Seat, SeatMap } from './resources.ts';
import { Zoom, type ZoomBy } from './zoom.tsx';

const palette = ['#1f6f8b', '#8a5a00', '#6b3fa0', '#2e7d32', '#a3204f'];

/** The colour of a zone: that of the plan, or one of the shop's. */
export function colourOf({ zones }: Pick<SeatMap, 'zones'>, zone: string): string {
  const index = zones.findIndex((one) => one.zone === zone);
  return zones[index]?.color ?? palette[Math.max(0, index) % palette.length] ?? '#1f6f8b';
}

const marks: Readonly<Record<Seat['kind'], string>> = {
  standard: '',
  wheelchair: 'W',
  companion: 'C',
  restricted_view: 'R',
};

interface PlanProps {
  readonly map: SeatMap;
  readonly seats: readonly Seat[];
  readonly chosen: ReadonlySet<string>;
  /** Left out where seats are only shown. */
  readonly onToggle?: ((seat: Seat) => void) | undefined;
  /** The name of a row was pressed. */
  readonly onRow?: ((seats: readonly Seat[]) => void) | undefined;
  /** Whether a seat that somebody has can be pressed too. */
  readonly allSeats?: boolean | undefined;
  /** Another class of a seat than free, chosen or taken. */
  readonly classOf?: ((seat: Seat) => string | undefined) | undefined;
  /** What is said of a seat beside its number, such as its price. */
  readonly noteOf?: ((seat: Seat) => string) | undefined;
  /** A mouse points at a seat, or at none. */
  readonly onPoint?: ((seat: Seat | undefined) => void) | undefined;
  readonly label: string;
}

/**
 * The seats as they are placed, for a finger or a mouse. It is one image to keyboards and screen readers, because hundreds of stops
 * help nobody: the list of rows beside it has the same seats.
 */
export function SeatPlan({ label, seats, onPoint, ...props }: PlanProps) {
  const pitch = pitchOf(seats);
  const xs = seats.map(({ x }) => x);
  const ys = seats.map(({ y }) => y);
  const [left, right] = [Math.min(...xs) - 2.5 * pitch, Math.max(...xs) + 2.5 * pitch];
  const [top, bottom] = [Math.min(...ys) - 3 * pitch, Math.max(...ys) + 1.5 * pitch];
  const rows = Map.groupBy(seats, ({ section, row }) => `${section}/${row}`);
  return (
    <Zoom label={label}>
      {(zoom) => (
        <svg
          class="plan"
          viewBox={`${left} ${top} ${right - left} ${bottom - top}`}
          role="img"
          aria-label={label}
          onClickCapture={(click) => zoomFirst(click, pitch, zoom)}
          onPointerOver={onPoint && (({ target }) => onPoint(seats.find(({ name }) => name === seatAt(target))))}
          onPointerLeave={onPoint && (() => onPoint(undefined))}
        >
          <rect
            class="plan-front"
            x={(left + right) / 2 - (right - left) / 6}
            y={top + 0.4 * pitch}
            width={(right - left) / 3}
            height={1.2 * pitch}
            rx={0.3 * pitch}
          />
          <text class="plan-text" x={(left + right) / 2} y={top + pitch} font-size={0.8 * pitch}>
            Front
          </text>
          {[...rows].map(([name, inRow]) => (
            <Row key={name} {...props} seats={inRow} pitch={pitch} />
          ))}
        </svg>
      )}
    </Zoom>
  );
}

/** A finger needs 24 pixels. */
const touchable = 24;

/** The first tap on seats that are too small for a finger makes them larger and chooses none. */
function zoomFirst(click: MouseEvent & { readonly currentTarget: SVGSVGElement }, pitch: number, zoom: ZoomBy): void {
  const size = pitch * (click.currentTarget.getScreenCTM()?.a ?? touchable);
  if (size >= touchable || !matchMedia('(pointer: coarse)').matches) return;
  click.stopPropagation();
  // A little larger than needed, so that a rounded size is large enough.
  zoom((1.1 * touchable) / size, click);
}

const seatAt = (target: EventTarget | null): string | null | undefined =>
  target instanceof Element ? target.closest('[data-seat]')?.getAttribute('data-seat') : undefined;

interface RowProps extends Omit<PlanProps, 'label' | 'onPoint'> {
  readonly pitch: number;
}

function Row({ map, seats, pitch, chosen, onToggle, onRow, allSeats = false, classOf, noteOf }: RowProps) {
  const usual = ({ name, isFree }: Seat): string => {
    if (chosen.has(name)) return 'chosen';
    return isFree ? 'free' : 'taken';
  };
  const [first, last] = [seats[0], seats.at(-1)];
  return (
    <g>
      {[first && { ...first, x: first.x - pitch }, last && { ...last, x: last.x + pitch }].map(
        (end, index) =>
          end && (
            // biome-ignore lint/a11y/noStaticElementInteractions: the list of rows is for keyboards.
            <text
              key={index}
              class={onRow === undefined ? 'plan-text' : 'plan-text row-name'}
              x={end.x}
              y={end.y}
              font-size={0.6 * pitch}
              onClick={onRow && (() => onRow(seats))}
            >
              {end.row}
            </text>
          ),
      )}
      {seats.map((seat) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the list of rows is for keyboards.
        <g
          key={seat.name}
          class={`seat ${classOf?.(seat) ?? usual(seat)}`}
          data-seat={seat.name}
          onClick={onToggle && (allSeats || seat.isFree || chosen.has(seat.name)) ? () => onToggle(seat) : undefined}
        >
          <title>{`${seat.section}, row ${seat.row}, seat ${seat.label}${noteOf?.(seat) ?? (seat.isFree ? '' : ', taken')}`}</title>
          {/* The whole place reacts, not only the circle. */}
          <rect class="seat-place" x={seat.x - pitch / 2} y={seat.y - pitch / 2} width={pitch} height={pitch} />
          <circle cx={seat.x} cy={seat.y} r={0.4 * pitch} stroke-width={0.1 * pitch} fill={colourOf(map, seat.zone)} />
          {chosen.has(seat.name) ? (
            <path class="seat-tick" d={tick(seat, pitch)} stroke-width={0.12 * pitch} />
          ) : (
            <text class="seat-mark" x={seat.x} y={seat.y} font-size={0.5 * pitch}>
              {marks[seat.kind]}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}

function tick({ x, y }: Seat, pitch: number): string {
  return `M${x - 0.18 * pitch} ${y}l${0.13 * pitch} ${0.14 * pitch}l${0.24 * pitch} ${-0.28 * pitch}`;
}

/** The usual distance of two neighbours. */
function pitchOf(seats: readonly Seat[]): number {
  const gaps = seats.flatMap((seat, index) => {
    const next = seats[index + 1];
    return next?.section === seat.section && next.row === seat.row
      ? [Math.hypot(next.x - seat.x, next.y - seat.y)]
      : [];
  });
  return gaps.toSorted((one, other) => one - other)[Math.floor(gaps.length / 2)] ?? 1;
}
