import * as v from 'valibot';

/** An integer id within the range that every JSON parser represents exactly. */
export const Id = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(Number.MAX_SAFE_INTEGER));

export const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Any number of a request that is stored as it is. */
export const StoredNumber = v.pipe(
  v.number(),
  v.minValue(Number.MIN_SAFE_INTEGER),
  v.maxValue(Number.MAX_SAFE_INTEGER),
);

/** How often a row was written. */
export const Version = v.pipe(v.number(), v.integer(), v.minValue(1));

export const Integer = v.pipe(v.number(), v.integer());

/** Unix seconds, or Unix seconds plus the offset of a timezone. */
export const UnixSeconds = v.pipe(v.number(), v.integer());

/** A Unix time in seconds, as a filter of a list. */
export const UnixBound = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(9_999_999_999));

/** For the description of `updated_since` of a list that others copy. */
export const sinceLastReading = `To read what changed since the last time, send the time at which that reading began, by the \`Date\` of its
first response, less 60 seconds: a change that was being written then has that time.`;

/** A decimal number in major units of the currency: 12.5 is 12 dollars and 50 cents. */
export const Money = v.number();

/** A boolean of the membership configuration, which the service specification types as an integer. */
export const Flag = v.pipe(v.picklist([0, 1]), v.integer());

/** YYYY-MM-DD */
export const IsoDate = v.pipe(v.string(), v.isoDate());

/** HH:MM:SS */
export const IsoTime = v.pipe(v.string(), v.isoTimeSecond());

export const IsoTimestamp = v.pipe(v.string(), v.isoTimestamp());

/**
 * Adds the description for the OpenAPI document. Never wrap a named resource: the OpenAPI writer recognises resources by
 * identity, and would write a wrapped one inline instead of a reference.
 */
export const field = <const Schema extends v.GenericSchema>(schema: Schema, description: string) =>
  v.pipe(schema, v.description(description));

/** A response object with all entries and no others. The title is its component name in OpenAPI. */
export const resource = <const Entries extends v.ObjectEntries>(title: string, description: string, entries: Entries) =>
  v.pipe(v.strictObject(entries), v.title(title), v.description(description));

/** A detail of a seat, of tickets and memberships. */
export const seatText = (meaning: string) => field(v.nullable(v.string()), `${meaning}; null if there is none.`);
