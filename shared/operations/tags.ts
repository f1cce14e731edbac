/** The groups of operations: folder of entries and handlers, and OpenAPI tag. */
export const tags = {
  baskets: 'What a fan is about to buy: open, fill, pay.',
  customers: 'Fans known to the organisation: who bought, or was imported.',
  events: 'Matches, concerts and other occasions, with what was sold for them and who came.',
  members: 'People who hold a membership.',
  membership: 'What an organisation offers its members: categories, types and ways to pay.',
  organisation: 'The organisation that the key belongs to.',
  'rate-limit': 'How many requests are left.',
  sso: 'What a fan who is signed in sees of their own.',
  webhooks: 'What happened, and the endpoints that are told of it.',
  service: 'The service itself: open to anyone, not counted.',
} as const;

export type Tag = keyof typeof tags;
