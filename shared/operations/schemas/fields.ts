import * as v from 'valibot';

/** Ids are integers that every JSON reader can hold exactly. */
export const Id = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(Number.MAX_SAFE_INTEGER));

export const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

export const Integer = v.pipe(v.number(), v.integer());

/** Unix seconds, or Unix seconds shifted to local time: both are plain integers on the wire. */
export const UnixSeconds = v.pipe(v.number(), v.integer());

/** A Unix second that a list is narrowed by. */
export const UnixBound = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(9_999_999_999));

/** A decimal number in major units of the currency: 12.5 is twelve dollars fifty. */
export const Money = v.number();

/** The yes-or-no of the membership configuration, which the service specification types as an integer. */
export const Flag = v.pipe(v.picklist([0, 1]), v.integer());

/** YYYY-MM-DD */
export const IsoDate = v.pipe(v.string(), v.isoDate());

/** HH:MM:SS */
export const IsoTime = v.pipe(v.string(), v.isoTimeSecond());

export const IsoTimestamp = v.pipe(v.string(), v.isoTimestamp());

/**
 * Says what a field means to the reader of the OpenAPI document. Never wrap a named resource in it: the OpenAPI
 * writer recognises resources by identity, and a wrapped one would be written out in place of a reference.
 */
export const field = <const Schema extends v.GenericSchema>(schema: Schema, description: string) =>
  v.pipe(schema, v.description(description));

/** A name of somebody: spaces alone are none. */
export const nameText = (most: number) =>
  v.pipe(v.string(), v.minLength(1), v.maxLength(most), v.regex(/^(?!\s+$)/, 'a string that is not only spaces'));

/** A text that is kept as it came, whatever it holds: what a gate reads is what was read. All others are what somebody typed. */
export const verbatim = <const Schema extends v.GenericSchema>(schema: Schema) =>
  v.pipe(schema, v.metadata({ verbatim: true }));

/** A response object: every entry present, nothing else allowed. The title is its component name in OpenAPI. */
export const resource = <const Entries extends v.ObjectEntries>(title: string, description: string, entries: Entries) =>
  v.pipe(v.strictObject(entries), v.title(title), v.description(description));

/** A detail of a seat, on tickets and memberships alike. */
export const seatText = (meaning: string) =>
  field(v.nullable(v.string()), `${meaning}; null without a seat that has one.`);
