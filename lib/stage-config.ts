import { RetentionDays } from 'aws-cdk-lib/aws-logs';

export const stageNames = ['dev', 'prod'] as const;
export type StageName = (typeof stageNames)[number];

/** What differs between the stages. Everything else is the same, so that what was tested is what runs. */
export interface StageConfig {
  readonly stage: StageName;
  /** Whether data outlives the stack: point-in-time recovery, deletion protection, retained table. */
  readonly keepData: boolean;
  readonly logRetention: RetentionDays;
  readonly logLevel: 'DEBUG' | 'INFO';
  /** Of all organisations together: a ceiling against floods, far above what the per-key limits let through. */
  readonly requestsPerSecond: number;
  readonly requestBurst: number;
}

const configs: Readonly<Record<StageName, StageConfig>> = {
  dev: {
    stage: 'dev',
    keepData: false,
    logRetention: RetentionDays.ONE_WEEK,
    logLevel: 'DEBUG',
    requestsPerSecond: 200,
    requestBurst: 400,
  },
  prod: {
    stage: 'prod',
    keepData: true,
    logRetention: RetentionDays.THREE_MONTHS,
    logLevel: 'INFO',
    requestsPerSecond: 5_000,
    requestBurst: 5_000,
  },
};

export function stageConfig(name: string): StageConfig {
  const known = stageNames.find((stage) => stage === name);
  if (known === undefined) throw new Error(`Unknown stage ${name}. Known: ${stageNames.join(', ')}.`);
  return configs[known];
}
