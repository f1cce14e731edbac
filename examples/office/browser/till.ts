const stored = 'office:till';

/** The name of the till that this browser stands at. The journal keeps it with every sale. */
export const readStation = (): string => localStorage.getItem(stored) ?? '';

export const saveStation = (station: string): void => localStorage.setItem(stored, station);
