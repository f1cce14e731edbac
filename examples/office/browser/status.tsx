import type { OfficeEvent } from './resources.ts';

const titles = { 0: 'Draft', 1: 'Published', 2: 'Deleted', 3: 'Closed' } as const;

/** The status of an event as a tag. */
export function Status({ event }: { readonly event: OfficeEvent }) {
  if (event.cancelled_unix) return <p class="tag bad">Cancelled</p>;
  const title = titles[event.event_status_id];
  if (event.event_status_id !== '1') return <p class="tag">{title}</p>;
  return <p class="tag good">{event.sold_out ? 'Sold out' : title}</p>;
}
