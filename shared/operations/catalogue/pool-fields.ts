import { Capacity, Title } from '../schemas/catalogue-text.ts';
import { field } from '../schemas/fields.ts';

/** The fields of a pool that a client sets, on creation and later. */
export const poolFields = {
  title: field(Title, 'Title of the pool, such as North terrace.'),
  capacity: field(Capacity, 'How many places exist, including held and sold ones.'),
};
