import * as v from 'valibot';
import { field } from '../schemas/fields.ts';

/** The transfer of a path. A text that names no transfer is a 404. */
export const transferPath = v.strictObject({ transfer_id: field(v.string(), 'The transfer_id of the transfer.') });
