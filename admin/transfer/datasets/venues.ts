import * as v from 'valibot';
import { saveVenue, updateVenueNames } from '../../../shared/data/admin/venues.ts';
import { readVenue, readVenues } from '../../../shared/data/events/venues.ts';
import type { VenueRecord } from '../../../shared/domain/events/event.ts';
import * as column from '../columns.ts';
import { defineDataset } from '../dataset.ts';

const VenueRow = v.strictObject({ venue_id: column.code, venue_name: column.text(200) });

const venueRow = ({ venueId, name }: VenueRecord): v.InferOutput<typeof VenueRow> => ({
  venue_id: venueId,
  venue_name: name,
});

export const venues = defineDataset({
  name: 'venues',
  plural: 'venues',
  key: 'venue_id',
  schema: VenueRow,
  async open({ table, orgId }) {
    // True at first, because an earlier import may have been interrupted before it copied the new names.
    let isRenamed = true;
    return {
      defaults: {},
      async find(key) {
        const venue = await readVenue(table, orgId, key);
        return venue && venueRow(venue);
      },
      async save({ venue_id, venue_name }, _isGiven, tried) {
        const outcome = await saveVenue(table, orgId, { venueId: venue_id, name: venue_name }, tried);
        isRenamed ||= outcome === 'updated';
        return outcome;
      },
      async flush() {
        if (isRenamed) await updateVenueNames(table, orgId);
        isRenamed = false;
      },
    };
  },
  total: async ({ table, orgId }) => (await readVenues(table, orgId)).length,
  async *rows({ table, orgId }) {
    yield* (await readVenues(table, orgId)).map(venueRow);
  },
});
