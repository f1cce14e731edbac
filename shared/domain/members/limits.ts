/** The maximum lengths of a member's texts, for clients and imports. They keep rows small and keys below DynamoDB's limits. */
export const memberLimits = {
  memberNumber: 64,
  /** Names, lines of an address. */
  long: 200,
  /** Codes, phone numbers and the like. */
  short: 100,
  emailAddress: 254,
  /** ISO 3166-1 numeric codes have three digits. */
  countryId: 999,
} as const;
