import { RetentionDays } from 'aws-cdk-lib/aws-logs';

export const stageNames = ['dev', 'prod'] as const;
export type StageName = (typeof stageNames)[number];

/** A custom domain. The certificate must be in the region of the stack, and the zone must contain the name. */
export interface DomainConfig {
  readonly name: string;
  readonly certificateArn: string;
  readonly hostedZoneId: string;
  readonly zoneName: string;
}

/** Everything that differs between stages. All else is the same, so that the tested stack is the deployed one. */
export interface StageConfig {
  readonly stage: StageName;
  /** Whether data outlives the stack: point-in-time recovery, deletion protection, a retained table. */
  readonly keepData: boolean;
  readonly logRetention: RetentionDays;
  /** The throttle over all organisations, far above what the limits per key allow. */
  readonly requestsPerSecond: number;
  readonly requestBurst: number;
  /** The payment provider. Stripe needs its key in the secret that the stack creates. */
  readonly payments: 'sandbox' | 'stripe';
  /** The email address for alarms; undefined for none. SNS asks the address to confirm the subscription. */
  readonly alarmMail: string | undefined;
  /** The custom domain; undefined for the default address of API Gateway. */
  readonly domain: DomainConfig | undefined;
  /**
   * Whether the stage has the protection of production: a firewall, reserved concurrency for functions that a flood of requests
   * would harm, and canary releases for critical functions.
   */
  readonly guarded: boolean;
}

const configs: Readonly<Record<StageName, StageConfig>> = {
  dev: {
    stage: 'dev',
    keepData: false,
    logRetention: RetentionDays.ONE_WEEK,
    requestsPerSecond: 200,
    requestBurst: 400,
    payments: 'sandbox',
    alarmMail: undefined,
    domain: undefined,
    guarded: false,
  },
  prod: {
    stage: 'prod',
    keepData: true,
    logRetention: RetentionDays.THREE_MONTHS,
    requestsPerSecond: 5_000,
    requestBurst: 5_000,
    payments: 'stripe',
    alarmMail: undefined,
    domain: undefined,
    guarded: true,
  },
};

export function stageConfig(name: string): StageConfig {
  const known = stageNames.find((stage) => stage === name);
  if (known === undefined) throw new Error(`Unknown stage ${name}. Stages: ${stageNames.join(', ')}.`);
  return configs[known];
}
