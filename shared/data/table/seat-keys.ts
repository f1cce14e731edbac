import { idText } from '../../domain/ids.ts';
import { type ItemKey, partition } from './keys.ts';

/** The rows of a section of a map in which members have seats of their own. Its name is the last part, as above. */
export const memberSeatsPartition = (orgId: string, seatMapId: number, section: string): string =>
  partition('SEM', orgId, idText(seatMapId), section);
export const memberSeatRowKey = (orgId: string, seatMapId: number, section: string, row: string): ItemKey => ({
  pk: memberSeatsPartition(orgId, seatMapId, section),
  sk: row,
});
/** Returns the organisation, the map and the section of such a partition. */
export function parseMemberSeatsPartition(pk: string) {
  const [, orgId = '', seatMapId = '', ...section] = pk.split('#');
  return { orgId, mapId: Number(seatMapId), section: section.join('#') };
}
/** The seats of an event that the organisation does not sell. */
export const seatBlockKey = (orgId: string, eventId: number, blockId: number): ItemKey => ({
  pk: seatBlocksPartition(orgId, eventId),
  sk: idText(blockId),
});
export const seatBlocksPartition = (orgId: string, eventId: number): string => partition('SBK', orgId, idText(eventId));
/** The pictures of an event's sections, which one Query reads. */
export const seatPicturesPartition = (orgId: string, eventId: number): string =>
  partition('SEP', orgId, idText(eventId));
export const seatPictureKey = (orgId: string, eventId: number, section: string): ItemKey => ({
  pk: seatPicturesPartition(orgId, eventId),
  sk: section,
});
/** Returns the organisation, the event and the section of a partition of rows. */
export function parseSeatsPartition(pk: string) {
  const [, orgId = '', eventId = '', ...section] = pk.split('#');
  return { orgId, eventId: Number(eventId), section: section.join('#') };
}
