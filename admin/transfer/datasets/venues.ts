import * as v from 'valibot';
import { saveVenue } from '../../../shared/catalogue/save-venue.ts';
import { readVenue, readVenues } from '../../../shared/data/events/venues.ts';
import type { VenueRecord } from '../../../shared/domain/events/event.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import { Fault } from '../../../shared/platform/fault.ts';
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
  async open({ table, orgId, clock }) {
    return {
      defaults: {},
      async find(key) {
        const venue = await readVenue(table, orgId, key);
        return venue && venueRow(venue);
      },
      async save({ venue_id, venue_name }, _isGiven, tried) {
        const deps = { table, orgId, nowUnix: unixSeconds(clock) };
        const saved = await saveVenue(deps, { venueId: venue_id, name: venue_name }, { tried });
        if (!('venue' in saved)) throw new Fault(`The venue ${venue_id} was not saved: ${saved.outcome}.`);
        return saved.outcome;
      },
    };
  },
  total: async ({ table, orgId }) => (await readVenues(table, orgId)).length,
  async *rows({ table, orgId }) {
    yield* (await readVenues(table, orgId)).map(venueRow);
  },
});
