/**
 * Published unit prices in US dollars, written down from memory, for us-east-1, on demand, without free tiers and discounts,
 * as of the month below. They change without notice: whoever quotes a figure of the report checks them first.
 */
export const prices = {
  asOf: '2025-01',
  region: 'us-east-1',
  perMillion: {
    apiGatewayRequest: 3.5,
    lambdaRequest: 0.2,
    readUnit: 0.125,
    writeUnit: 0.625,
    sqsRequest: 0.4,
    eventBridgeEvent: 1,
  },
  /** Of an ARM function. */
  lambdaGbSecond: 0.000_013_333_4,
} as const;

/** What cannot be measured on one machine and is assumed instead. */
export const assumed = {
  /** A round trip to DynamoDB within its region. */
  roundTripMs: 4,
  /** Of a function that answers; those that stream have twice as much, workers have this. */
  memoryGb: 0.5,
} as const;

export interface Spent {
  readonly requests: number;
  readonly invocations: number;
  readonly lambdaMs: number;
  readonly memoryGb?: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly sqsRequests: number;
  readonly events: number;
}

/** Dollars for a million times this. */
export function dollarsPerMillion(spent: Spent): number {
  const { perMillion, lambdaGbSecond } = prices;
  const gbSeconds = (spent.lambdaMs / 1000) * (spent.memoryGb ?? assumed.memoryGb);
  return (
    spent.requests * perMillion.apiGatewayRequest +
    spent.invocations * perMillion.lambdaRequest +
    gbSeconds * lambdaGbSecond * 1_000_000 +
    spent.readUnits * perMillion.readUnit +
    spent.writeUnits * perMillion.writeUnit +
    spent.sqsRequests * perMillion.sqsRequest +
    spent.events * perMillion.eventBridgeEvent
  );
}
