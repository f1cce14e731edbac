/** Who may come in at a gate: everybody, or only those whose category has one of these codes. */
export type Admitted = 'all' | readonly string[];

/** A gate that the platform team has registered. One that was never registered admits everybody. */
export interface GateRecord {
  readonly gateId: number;
  readonly name: string;
  /** Codes of price categories, which are the same from event to event: the stand that the gate leads to. */
  readonly priceCategories: Admitted;
  /** Codes of membership categories. */
  readonly membershipCategories: Admitted;
}

/** What a gate token may record: everywhere, or only at these gates and events. */
export interface GateBounds {
  readonly gates: 'all' | readonly number[];
  readonly events: 'all' | readonly number[];
}

/** What the platform team knows of a gate token. What the door needs of it lies elsewhere. */
export interface GateTokenRecord extends GateBounds {
  readonly tokenId: string;
  readonly label: string | null;
  readonly createdUnix: number;
  readonly expiresUnix: number | null;
  readonly revokedUnix: number | null;
  /** The last characters of the token, by which people tell one from another. */
  readonly ending: string;
  readonly lastUsedUnix: number | null;
}

export const gateLimits = { name: 100, label: 80, bounds: 100, codes: 100 } as const;

export function isWithin(bounds: 'all' | readonly number[], id: number): boolean {
  return bounds === 'all' || bounds.includes(id);
}
