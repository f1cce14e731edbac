import * as v from 'valibot';
import { Count, field, Id, resource } from './fields.ts';

const sold = {
  sold: field(Count, 'Tickets that are sold, without cancelled and refunded ones.'),
  complimentary: field(Count, 'How many of the sold tickets are complimentary.'),
};

const InventoryPrice = resource('InventoryPrice', 'What a price has sold of the places.', {
  price_id: field(Id, 'The price.'),
  price_title: field(v.string(), 'Title of the price.'),
  price_category_id: field(Id, 'The price category.'),
  category_title: field(v.string(), 'Title of the price category.'),
  ...sold,
});

export const EventInventoryRow = resource(
  'EventInventoryRow',
  'Places that are counted together: `capacity` = `sold` + `held` + `blocked` + `members` + `free`.',
  {
    kind: field(
      v.picklist(['price', 'pool', 'zone']),
      'Whose places they are: of a price alone, of a pool that several prices share, or of a zone of the seat map.',
    ),
    price_id: field(v.nullable(Id), 'The price; null for a pool or a zone.'),
    pool_id: field(v.nullable(Id), 'The pool; null for a price or a zone.'),
    zone: field(v.nullable(v.string()), 'The zone of the seat map; null for a price or a pool.'),
    title: field(v.string(), 'Title of the price or the pool, or the name of the zone.'),
    capacity: field(
      Count,
      'How many places there are. Imported tickets of a zone that have no seat are added to its seats.',
    ),
    ...sold,
    held: field(Count, 'In baskets: of buyers, long holds and offers.'),
    offered: field(Count, 'How many of the held tickets are offers of the waiting list.'),
    blocked: field(Count, 'Seats that seat blocks close.'),
    members: field(Count, 'Seats that belong to members.'),
    free: field(Count, 'What can be sold now.'),
    prices: field(v.array(InventoryPrice), 'The prices that sell these places, in display order.'),
  },
);
export type EventInventoryRow = v.InferOutput<typeof EventInventoryRow>;
