/** The categories that a gate admits: all, or only those with one of these codes. */
export type Admitted = 'all' | readonly string[];

/** A gate that the platform team has registered. A gate that is not registered admits all categories. */
export interface GateRecord {
  readonly gateId: number;
  readonly name: string;
  /** Codes of price categories, such as the stand that the gate leads to. They are the same for all events. */
  readonly priceCategories: Admitted;
  /** Codes of membership categories. */
  readonly membershipCategories: Admitted;
}

/** The gates and events for which a gate token is valid. */
export interface GateBounds {
  readonly gates: 'all' | readonly number[];
  readonly events: 'all' | readonly number[];
  /** Whether it may read the tickets of its events, to admit people without a connection. */
  readonly offline: boolean;
}

/** The metadata of a gate token, for the platform team. Authentication uses another item (`GATEAUTH`). */
export interface GateTokenRecord extends GateBounds {
  readonly tokenId: string;
  readonly label: string | null;
  readonly createdUnix: number;
  readonly expiresUnix: number | null;
  readonly revokedUnix: number | null;
  /** The id of the signing key that has signed it. */
  readonly signer: string;
  /** The last characters of the token, by which people distinguish tokens. */
  readonly ending: string;
  readonly lastUsedUnix: number | null;
}

export const gateLimits = { name: 100, label: 80, bounds: 100, codes: 100 } as const;

export function isWithin(bounds: 'all' | readonly number[], id: number): boolean {
  return bounds === 'all' || bounds.includes(id);
}
