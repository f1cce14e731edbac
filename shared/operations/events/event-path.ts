import * as v from 'valibot';
import { field } from '../schemas/fields.ts';

/** The path parameter of all operations on one event. */
export const eventPath = v.strictObject({ event_id: field(v.string(), 'The event_id of the event.') });
