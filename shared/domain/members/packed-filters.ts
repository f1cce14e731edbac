import type { FilteredMember } from './filters.ts';

/** The fields that filters compare and that neither the id nor the sort key of a member contains. */
export type PackedFields = Pick<FilteredMember, 'statusId' | 'fulfilled' | 'typeId' | 'seatMapId'>;

const radix = 36;
const separator = '.';

/** Returns the fields as one short text, because keys are read by the thousand. */
export function packFields({ statusId, fulfilled, typeId, seatMapId }: PackedFields): string {
  const numbers = [typeId, seatMapId].map((value) => (value === null ? '' : value.toString(radix)));
  return [`${statusId}${fulfilled === 'yes' ? 'y' : 'n'}`, ...numbers].join(separator);
}

export function unpackFields(packed: string): PackedFields {
  const [flags = '', type = '', seatMap = ''] = packed.split(separator);
  const numberOf = (text: string): number | null => (text === '' ? null : Number.parseInt(text, radix));
  return {
    statusId: Number(flags.slice(0, -1)),
    fulfilled: flags.endsWith('y') ? 'yes' : 'no',
    typeId: numberOf(type),
    seatMapId: numberOf(seatMap),
  };
}
