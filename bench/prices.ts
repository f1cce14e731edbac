import { answeringMemoryMb, workerMemoryMb } from '../lib/memory-sizes.ts';

/**
 * Published unit prices in US dollars for us-east-1, on demand, without free tiers and discounts, as of the month below. They
 * were written down from memory and change without notice: check them before you quote a figure of the report.
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

/** Values that cannot be measured on one machine. */
export const assumed = {
  /** A round trip to DynamoDB within its region. */
  roundTripMs: 4,
} as const;

export interface Usage {
  readonly requests: number;
  readonly invocations: number;
  /** The time of the function that answers, and that of the workers. */
  readonly lambdaMs: number;
  readonly workerMs: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly sqsRequests: number;
  readonly events: number;
}

/** The price of a million requests that each use this much. */
export function dollarsPerMillion(usage: Usage): number {
  const { perMillion, lambdaGbSecond } = prices;
  const gbSeconds = (usage.lambdaMs * answeringMemoryMb + usage.workerMs * workerMemoryMb) / 1024 / 1000;
  return (
    usage.requests * perMillion.apiGatewayRequest +
    usage.invocations * perMillion.lambdaRequest +
    gbSeconds * lambdaGbSecond * 1_000_000 +
    usage.readUnits * perMillion.readUnit +
    usage.writeUnits * perMillion.writeUnit +
    usage.sqsRequests * perMillion.sqsRequest +
    usage.events * perMillion.eventBridgeEvent
  );
}
