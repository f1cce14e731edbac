/** Longest texts of a member, whoever writes them: a client or an import. They keep rows small and keys below their limit. */
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
