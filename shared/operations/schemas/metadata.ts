import * as v from 'valibot';
import { metadataKeyPattern, metadataLimits } from '../../domain/metadata.ts';
import { maxReferenceLength } from '../../domain/orders/labels.ts';
import { field } from './fields.ts';
import { maxCharacters, text } from './text.ts';

const { pairs, key, value } = metadataLimits;

/** The fields that only an API key sets and sees. A storefront token that sends one is refused, and no answer to it has one. */
export const keyOnlyFields = ['metadata', 'external_reference'] as const;

/** What another system calls a purchase. It is compared character by character. */
const referenceText = text(maxReferenceLength);

/** In the body of a purchase. */
export const externalReferenceInput = v.optional(
  field(
    v.nullable(referenceText),
    'What your own system calls the purchase, such as the id of a cart. The order has it too, and list-orders finds it. It need not be unique. Only with an API key.',
  ),
);

/** In a response or an event. */
export const externalReference = field(
  v.nullable(v.string()),
  'What your own system calls the purchase (open-basket); null if it said nothing. Only an API key and webhooks see it.',
);

const Key = v.pipe(v.string(), v.regex(metadataKeyPattern, `a key of 1 to ${key} of the characters a-z, 0-9, _ and -`));
const Value = v.nullable(v.pipe(v.string(), ...maxCharacters(value)));

/** In a body: what changes. The limits of the whole are judged on the merged result. */
export const metadataChange = field(
  v.nullable(v.record(Key, Value)),
  `Pairs of your own systems: at most ${pairs}, each a key of 1 to ${key} of the characters a-z, 0-9, _ and -, and a text of at most ${value} characters; 2 KB in all.
They are merged by key: a key that you do not send stays, and null or an empty text deletes it. {} changes nothing; null deletes all. Only with an API key.`,
);

/** In a response or an event. It has a title, because a generator for Python makes two models of one name for an inline map of a resource that extends another. */
export const Metadata = v.pipe(
  v.record(v.string(), v.string()),
  v.title('Metadata'),
  v.description('Pairs that your own systems keep here; {} if there are none. Only an API key and webhooks see them.'),
);

/** In a response that pages get too. */
export const keyOnlyMetadata = v.optional(Metadata);
export const keyOnlyReference = v.optional(externalReference);
