import { idLength, parseSortableText, secondLength, sortableText } from '../table/sortable-text.ts';

/** The position of an order or an event: a second and an id, in 15 characters that sort like them. */
export function shortSortKey(second: number, id: number): string {
  return `${sortableText(second, secondLength)}${sortableText(id, idLength)}`;
}

export function parseShortSortKey(text: string): { readonly second: number; readonly id: number } {
  return {
    second: parseSortableText(text.slice(0, secondLength)),
    id: parseSortableText(text.slice(secondLength, secondLength + idLength)),
  };
}
