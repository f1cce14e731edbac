import { RetentionDays } from 'aws-cdk-lib/aws-logs';

export const stageNames = ['dev', 'prod'] as const;
export type StageName = (typeof stageNames)[number];

/** An address of one's own. The certificate must be in the stack's region; the zone is the one that holds the name. */
export interface DomainConfig {
  readonly name: string;
  readonly certificateArn: string;
  readonly hostedZoneId: string;
  readonly zoneName: string;
}

/** What differs between the stages. Everything else is the same, so that what was tested is what runs. */
export interface StageConfig {
  readonly stage: StageName;
  /** Whether data outlives the stack: point-in-time recovery, deletion protection, retained table. */
  readonly keepData: boolean;
  readonly logRetention: RetentionDays;
  /** Of all organisations together: a ceiling against floods, far above what the per-key limits let through. */
  readonly requestsPerSecond: number;
  readonly requestBurst: number;
  /** Who moves the money: nobody, or Stripe, whose key has to be put into the secret that the stack makes for it. */
  readonly payments: 'sandbox' | 'stripe';
  /** Who is told of alarms; undefined until somebody is on call. Subscribing asks that address to confirm. */
  readonly alarmMail: string | undefined;
  /** undefined: the address that API Gateway gives. */
  readonly domain: DomainConfig | undefined;
  /**
   * Whether the stage stands in the open: a firewall before it, a share of the account's concurrency set apart for what a
   * flood would hurt, and releases of what must not break that begin with a tenth of the traffic.
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
  if (known === undefined) throw new Error(`Unknown stage ${name}. Known: ${stageNames.join(', ')}.`);
  return configs[known];
}
