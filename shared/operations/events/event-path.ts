import * as v from 'valibot';
import { field } from '../schemas/fields.ts';

/** The path of everything that belongs to one event. */
export const eventPath = v.strictObject({ event_id: field(v.string(), 'The event_id of the event.') });
