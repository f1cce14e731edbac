import * as v from 'valibot';
import { field, Id, resource, UnixSeconds } from './fields.ts';

export const SsoLink = resource(
  'SsoLink',
  'A user of an identity provider, and the customer that the user is linked to.',
  {
    issuer: field(v.string(), 'The identity provider, as in the `iss` claim of its tokens.'),
    subject: field(v.string(), 'The user, as in the `sub` claim of the token.'),
    linked: field(v.boolean(), 'Whether the user is linked to a customer now.'),
    user_id: field(v.nullable(Id), 'The customer that the user is linked to; null if there is none.'),
    linked_at: field(
      v.nullable(UnixSeconds),
      'When the user was linked, in Unix seconds; null if the user is not linked.',
    ),
  },
);
export type SsoLink = v.InferOutput<typeof SsoLink>;
