import * as v from 'valibot';
import { controlCharacters, spaces } from '../../domain/characters.ts';
import { catalogueLimits } from '../../domain/events/limits.ts';
import { isInstant } from '../../domain/time/instant.ts';
import { field } from './fields.ts';
import { nameText, text } from './text.ts';

/** The types of the fields that describe events, prices and memberships, where a client sets them. */

export const Title = nameText(catalogueLimits.title);

const code = `[^${controlCharacters}${spaces}]`;
/** Identifies an object for imports and for the organisation. It is never changed, because ids follow from it. */
export const Code = v.pipe(
  text(catalogueLimits.code),
  v.regex(
    new RegExp(`^${code}(?:[^${controlCharacters}]*${code})?$`),
    'a short name without spaces at its beginning or end, such as grand-final-2026',
  ),
);

/** Optional in every object: without it the service makes one up. */
export const optionalCode = (what: string) =>
  v.optional(
    field(
      v.nullable(Code),
      `Your own short name for the ${what}, by which imports identify it; unique ${what === 'event' || what === 'venue' || what === 'seat map' || what.startsWith('membership') ? 'in the organisation' : 'in the event'}. It cannot be changed later. If it is absent, the service makes one up.`,
    ),
    null,
  );

export const Slug = v.pipe(
  text(catalogueLimits.slug),
  v.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'lowercase letters and digits, separated by hyphens, such as grand-final-2026'),
);

/** An address of a page or an image, which is stored and shown, and never opened by the service. */
export const Address = v.pipe(
  text(catalogueLimits.address),
  v.regex(
    new RegExp(
      `^https?://[^${controlCharacters}${spaces}/?#@:]+(?::[0-9]{1,5})?(?:[/?#][^${controlCharacters}${spaces}]*)?$`,
    ),
    'an http or https URL such as https://www.example.com/final.jpg',
  ),
);

export const Colour = v.pipe(
  v.string(),
  v.regex(
    /^(#([0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})|[A-Za-z]{3,30})$/,
    'a CSS colour as hex digits or as a name, such as #0b2545 or navy',
  ),
);

const aTime = 'a time such as 2026-10-31T13:00:00Z, between 1970 and 2199';
export const Instant = v.pipe(
  v.string(),
  v.isoTimestamp(aTime),
  v.check(isInstant, aTime),
  v.metadata({ format: 'date-time' }),
);

/** Which names exist, the handler checks: the time zone database is not a pattern. */
export const Timezone = v.pipe(
  text(64),
  v.regex(/^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/, 'an IANA time zone, such as Australia/Melbourne'),
);

export const Currency = v.pipe(v.string(), v.regex(/^[A-Z]{3}$/, 'the ISO 4217 code of a currency, such as AUD'));

export const Amount = v.pipe(v.number(), v.minValue(0), v.maxValue(catalogueLimits.amount));
export const Capacity = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(catalogueLimits.capacity));
export const Position = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(-catalogueLimits.orderBy),
  v.maxValue(catalogueLimits.orderBy),
);
