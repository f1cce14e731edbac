import type { FilteredMember } from './filters.ts';

/** The fields of a member that change and that filters compare. The time of creation is in the member's id. */
export type PackedFields = Omit<FilteredMember, 'createdUnix'>;

const radix = 36;
const separator = '.';

/** Returns the fields as one short text, because the size of a row is the price of reading it. */
export function packFields({ statusId, fulfilled, updatedUnix, typeId, seatMapId }: PackedFields): string {
  const numbers = [updatedUnix, typeId, seatMapId].map((value) => (value === null ? '' : value.toString(radix)));
  return [`${statusId}${fulfilled === 'yes' ? 'y' : 'n'}`, ...numbers].join(separator);
}

export function unpackFields(packed: string): PackedFields {
  const [flags = '', updated = '', type = '', seatMap = ''] = packed.split(separator);
  const numberOf = (text: string): number | null => (text === '' ? null : Number.parseInt(text, radix));
  return {
    statusId: Number(flags.slice(0, -1)),
    fulfilled: flags.endsWith('y') ? 'yes' : 'no',
    updatedUnix: numberOf(updated),
    typeId: numberOf(type),
    seatMapId: numberOf(seatMap),
  };
}
