import { useEffect, useRef } from 'preact/hooks';
import { seatsText, secondOf } from '../../site/browser/state/format.ts';
import { Action } from './action.tsx';
import { officeCall } from './api.ts';
import type { Field } from './fields.ts';
import { Form } from './form.tsx';
import type { OfficeEvent, SeatBlock } from './resources.ts';

const blockFields: readonly Field[] = [
  { name: 'reason', label: 'Reason', kind: 'text', hint: 'For staff, such as Camera position.' },
  { name: 'release_unix', label: 'On sale again from', kind: 'unix', hint: 'Empty: when you release them.' },
];

const count = (seats: readonly string[]): string => (seats.length === 1 ? '1 seat' : `${seats.length} seats`);

interface BlockSeatsProps {
  readonly event: OfficeEvent;
  readonly seats: readonly string[];
  readonly onChanged: (message: string) => void;
}

/** Takes the chosen seats out of the sale. */
export function BlockSeats({ event, seats, onChanged }: BlockSeatsProps) {
  return (
    <section class="stack" id="block-seats" tabIndex={-1} aria-label="Block seats">
      <h2>Block {count(seats)}</h2>
      <p>{seatsText(seats)}</p>
      <Form
        fields={blockFields}
        method="POST"
        path={`/v1/events/${event.event_id}/seat_blocks`}
        values={{}}
        shape={(changed) => ({ ...changed, seats })}
        timezone={event.timezone}
        button={`Block ${count(seats)}`}
        onSaved={() => onChanged(`${count(seats)} blocked: nobody can buy them.`)}
      />
    </section>
  );
}

interface BlockLinesProps {
  readonly event: OfficeEvent;
  readonly blocks: readonly SeatBlock[];
  /** The block of the seat that was pressed in the plan. */
  readonly pressed: SeatBlock | undefined;
  readonly onChanged: (message: string) => void;
}

/** The seats that are blocked, each block with what releases it. */
export function BlockLines({ event, blocks, pressed, onChanged }: BlockLinesProps) {
  const line = useRef<HTMLLIElement>(null);
  useEffect(() => line.current?.querySelector('button')?.focus(), [pressed]);
  if (blocks.length === 0) return null;

  async function release({ seat_block_id, seats }: SeatBlock): Promise<void> {
    await officeCall('DELETE', `/v1/events/${event.event_id}/seat_blocks/${seat_block_id}`);
    onChanged(`${count(seats)} released: on sale again.`);
  }

  return (
    <section class="stack">
      <h2>Blocked seats</h2>
      <ul class="lines">
        {blocks.map((block) => (
          <li
            key={block.seat_block_id}
            ref={block === pressed ? line : null}
            class={block === pressed ? 'line pressed' : 'line'}
          >
            <span>
              {block.reason ?? 'Without a reason'}: {count(block.seats)}
              <span class="hint">
                {seatsText(block.seats)}
                {block.release_unix !== null && ` · on sale again ${secondOf(block.release_unix, event.timezone)}`}
              </span>
            </span>
            <Action
              act={() => release(block)}
              ask={{
                title: `Release ${count(block.seats)}?`,
                text: <p>{seatsText(block.seats)}: everyone can buy them at once.</p>,
                yes: `Release ${count(block.seats)}`,
              }}
            >
              Release <span class="visually-hidden">{seatsText(block.seats)}</span>
            </Action>
          </li>
        ))}
      </ul>
    </section>
  );
}
