import { useState } from 'preact/hooks';
import { Form, SubmitButton } from '../../../site/browser/parts/form.tsx';
import { WhenLoaded } from '../../../site/browser/parts/notice.tsx';
import type { Price } from '../../../site/browser/resources.ts';
import { Legend } from '../../../site/browser/seats/legend.tsx';
import { SeatList } from '../../../site/browser/seats/list.tsx';
import { openSections, type SectionSummary, seatMapOf, sectionsOf } from '../../../site/browser/seats/load.ts';
import { SeatPlan } from '../../../site/browser/seats/plan.tsx';
import type { Seat, SeatMap, SeatSection } from '../../../site/browser/seats/resources.ts';
import { money, seatsText } from '../../../site/browser/state/format.ts';
import { hasCode } from '../../../site/browser/state/messages.ts';
import { navigate } from '../../../site/browser/state/router.ts';
import { useAction } from '../../../site/browser/state/use-action.ts';
import { useLoaded } from '../../../site/browser/state/use-loaded.ts';
import { useRemoval } from '../../../site/browser/state/use-removal.ts';
import type { OfferProps } from '../parts/price-form.tsx';
import { Refusal, refusedSeats } from '../parts/refusal.tsx';
import { addSeats, useBasket } from '../state/basket.ts';
import { asVisitor, pricesOfZone, seatsOf } from './offered.ts';

type PickerProps = Pick<OfferProps, 'event' | 'prices'>;

/** A house with so few sections is shown as a whole. */
const wholeHouse = 4;

/** The seats of an event, to choose one by one. */
export function SeatPicker({ event, prices }: PickerProps) {
  const [section, setSection] = useState<string>();
  const [refusals, setRefusals] = useState(0);
  // The summary of all sections follows a sale some seconds later; an open section is read as it is.
  const [opened, setOpened] = useState<readonly SectionSummary[]>([]);
  const loaded = useLoaded(
    () => Promise.all([seatMapOf(event, asVisitor), sectionsOf(event, asVisitor, refusals > 0)]),
    [event.event_id, refusals],
  );
  return (
    <WhenLoaded of={loaded} what="the seats">
      {([map, summaries]) => {
        const isWhole = section === undefined && summaries.length <= wholeHouse;
        const open = isWhole ? summaries.map((one) => one.section) : [section ?? summaries[0]?.section ?? ''];
        return (
          <>
            {summaries.length > 1 && (
              <p class="field">
                <label for="section">Section</label>
                <select
                  id="section"
                  value={section ?? ''}
                  onChange={({ currentTarget: { value } }) => setSection(value === '' ? undefined : value)}
                >
                  {summaries.length <= wholeHouse && <option value="">The whole house</option>}
                  {summaries.map(({ section: name, free }) => (
                    <option key={name} value={name}>
                      {name}, {opened.find((one) => one.section === name)?.free ?? free} free
                    </option>
                  ))}
                </select>
              </p>
            )}
            <OpenSections
              key={open.join()}
              {...{ event, prices, map, open, refusals }}
              onOpened={setOpened}
              onRefused={() => setRefusals(refusals + 1)}
            />
          </>
        );
      }}
    </WhenLoaded>
  );
}

interface OpenProps extends PickerProps {
  readonly map: SeatMap;
  readonly open: readonly string[];
  /** After a refusal, what the browser keeps of the seats is old. */
  readonly refusals: number;
  readonly onOpened: (sections: readonly SectionSummary[]) => void;
  readonly onRefused: () => void;
}

function OpenSections({ event, prices, map, open, refusals, onOpened, onRefused }: OpenProps) {
  const loaded = useLoaded(async () => {
    const sections = await openSections(event, open, { fresh: refusals > 0, read: asVisitor });
    onOpened(sections);
    return sections;
  }, [refusals]);
  return (
    <WhenLoaded of={loaded} what="the seats">
      {(sections) => <Choice {...{ event, prices, map, sections, onRefused }} />}
    </WhenLoaded>
  );
}

interface ChoiceProps extends PickerProps {
  readonly map: SeatMap;
  readonly sections: readonly SeatSection[];
  readonly onRefused: () => void;
}

/** The price of each seat that is chosen, by its name. */
type Chosen = ReadonlyMap<string, number>;

function Choice({ event, prices, map, sections, onRefused }: ChoiceProps) {
  const [chosen, setChosen] = useState<Chosen>(new Map());
  // For two seconds, what is read again may not know what the refusal said.
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const seats = seatsOf(map, sections, prices).map((seat) => (gone.has(seat.name) ? { ...seat, isFree: false } : seat));
  const { isBusy, problem, run, forget } = useAction();
  const [pointed, setPointed] = useState<Seat>();
  const own = new Set(useBasket()?.items.flatMap(({ seats: held }) => held));
  const pricesOf = (name: string): readonly Price[] => {
    const seat = seats.find((one) => one.name === name);
    return seat ? pricesOfZone(sections, prices, seat.zone) : [];
  };
  const total = [...chosen.values()].reduce(
    (sum, id) => sum + (prices.find(({ price_id }) => price_id === id)?.total_price ?? 0),
    0,
  );
  const choose = (name: string, priceId: number | undefined): void => {
    const others = [...chosen].filter(([one]) => one !== name);
    setChosen(new Map(priceId === undefined ? others : [...others, [name, priceId]]));
  };
  const toggle = ({ name }: Seat): void => choose(name, chosen.has(name) ? undefined : pricesOf(name)[0]?.price_id);

  /** Takes seats that the service offers instead of the ones that it refused, at the same prices. */
  function takeInstead(names: readonly string[]): void {
    const rowOf = (name: string): string => name.split('/').slice(0, 2).join('/');
    const row = rowOf(names[0] ?? '');
    const ids = [...chosen].filter(([name]) => rowOf(name) === row).map(([, id]) => id);
    const others = [...chosen].filter(([name]) => rowOf(name) !== row);
    setChosen(new Map([...others, ...names.map((name, index): [string, number] => [name, ids[index] ?? 0])]));
    forget();
  }

  async function add(): Promise<void> {
    const byPrice = Map.groupBy(chosen, ([, id]) => id);
    const items = [...byPrice].map(([price_id, of]) => ({ price_id, seats: of.map(([name]) => name) }));
    await addSeats({ items });
    navigate('/basket');
  }

  function refuse(error: unknown): void {
    if (hasCode(error, 'seat_taken')) {
      const taken = new Set([...gone, ...refusedSeats(error).seats]);
      setGone(taken);
      setChosen(new Map([...chosen].filter(([name]) => !taken.has(name))));
    }
    if (hasCode(error, 'seat_taken', 'leaves_single_seat', 'price_not_on_sale', 'sold_out')) onRefused();
  }

  const names = new Set(chosen.keys());
  const zones = [...new Set(sections.flatMap((section) => section.zones.map(({ zone }) => zone)))];
  const priceOf = (zone: string): string => priceText(pricesOfZone(sections, prices, zone), event.currency);
  const noteOf = ({ name, zone, isFree }: Seat): string => {
    if (own.has(name)) return ', in your basket';
    return isFree || chosen.has(name) ? `, ${priceOf(zone)}` : ', taken';
  };
  const classOf = ({ name }: Seat): string | undefined => (own.has(name) ? 'own' : undefined);
  return (
    <Form onSubmit={() => void run(add, refuse)}>
      <Refusal error={problem} onEmptied={forget} onInstead={takeInstead} />
      <Legend
        map={map}
        zones={zones.map((zone) => ({ zone, text: priceOf(zone) }))}
        states={{ taken: 'taken', own: 'in your basket' }}
      />
      <SeatPlan
        {...{ map, seats, classOf, noteOf }}
        chosen={names}
        onToggle={toggle}
        onPoint={setPointed}
        label="Plan of the seats"
      />
      <details class="card" onToggle={({ currentTarget: opened }) => opened.open && focusIn(opened)}>
        <summary>List of rows and seats</summary>
        <section tabIndex={-1} aria-label="Rows and seats">
          <SeatList seats={seats} chosen={names} onToggle={toggle} noteOf={noteOf} onPoint={setPointed} />
        </section>
      </details>
      <ChosenSeats {...{ chosen, pricesOf, currency: event.currency, choose }} />
      <p class="visually-hidden" role="status">
        {chosen.size > 0 && `You have chosen ${seatsText([...names])}, ${money(total, event.currency)}.`}
      </p>
      <div class="action seat-bar">
        <p class="seat-pointed" aria-hidden="true">
          {pointed && `${seatsText([pointed.name])}${noteOf(pointed)}`}
        </p>
        <SubmitButton isBusy={isBusy} disabled={chosen.size === 0}>
          {chosen.size === 0
            ? 'Choose your seats'
            : `Add ${chosen.size === 1 ? '1 seat' : `${chosen.size} seats`} · ${money(total, event.currency)}`}
        </SubmitButton>
      </div>
    </Form>
  );
}

/** What a seat costs: one price, or from the lowest to the highest. */
function priceText(ofSeat: readonly Price[], currency: string): string {
  const amounts = ofSeat.map(({ total_price }) => total_price);
  if (amounts.length === 0) return 'not on sale';
  return [...new Set([Math.min(...amounts), Math.max(...amounts)])]
    .map((amount) => money(amount, currency))
    .join(' to ');
}

const focusIn = (opened: HTMLElement): void => opened.querySelector('section')?.focus();

interface ChosenSeatsProps {
  readonly chosen: Chosen;
  readonly pricesOf: (name: string) => readonly Price[];
  readonly currency: string;
  readonly choose: (name: string, priceId: number | undefined) => void;
}

function ChosenSeats({ chosen, pricesOf, currency, choose }: ChosenSeatsProps) {
  const { list, onRemove } = useRemoval<HTMLUListElement>(chosen.size);
  if (chosen.size === 0) return null;
  return (
    <fieldset class="category">
      <legend>Your seats</legend>
      <ul class="lines" ref={list}>
        {[...chosen].map(([name, priceId], index) => (
          <li key={name} class="line">
            <label class="line-text">
              {seatsText([name])}
              <select value={priceId} onChange={({ currentTarget }) => choose(name, Number(currentTarget.value))}>
                {pricesOf(name).map((price) => (
                  <option key={price.price_id} value={price.price_id}>
                    {price.title}, {money(price.total_price, currency)}
                  </option>
                ))}
              </select>
            </label>
            <button
              type="button"
              class="button quiet small remove"
              aria-label={`Remove ${seatsText([name])}`}
              onClick={() => {
                onRemove(index);
                choose(name, undefined);
              }}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
