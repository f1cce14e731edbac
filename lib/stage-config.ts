import { readFileSync } from 'node:fs';
import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as v from 'valibot';
import type { Concurrencies } from '../shared/domain/lambda-concurrency.ts';
import type { TrustedCdn } from '../shared/http/auth/trusted-cdn.ts';
import { restoredTables } from './restored-tables.ts';

export const stageNames = ['dev', 'prod'] as const;
export type StageName = (typeof stageNames)[number];

/** A custom domain. The zone must contain the name. */
export interface DomainConfig {
  readonly name: string;
  /** A certificate of the name for each region of the stage. In the region of the copies it must exist before it is needed. */
  readonly certificateArns: readonly string[];
  readonly hostedZoneId: string;
  readonly zoneName: string;
}

/** Everything that differs between stages. All else is the same, so the tested stack is the deployed one. */
export interface StageConfig {
  readonly stage: StageName;
  /** Whether data outlives the stack: point-in-time recovery, deletion protection, a retained table. */
  readonly keepData: boolean;
  /** The region of the stage; undefined for any. A stage with backups is deployed only here and, after a loss, to backupCopyRegion. */
  readonly region: string | undefined;
  /**
   * The region of the copies of the nightly backups and of the secrets, another one than that of the stage; undefined for no
   * backups. How to choose it, and how its vault is created once: docs/operating.md, "The region of the copies".
   */
  readonly backupCopyRegion: string | undefined;
  /** The restored table that the service uses instead of that of the state stack; undefined for none. */
  readonly restoredTable: { readonly tableName: string; readonly streamArn: string } | undefined;
  readonly logRetention: RetentionDays;
  /** The throttle over all organisations, far above what the limits per key allow. */
  readonly requestsPerSecond: number;
  readonly requestBurst: number;
  /**
   * A stage that was deployed when one secret had the keys of all purposes moves them (docs/operating.md, "One secret for each
   * purpose"): `read` it with the others, then they are `moved`. A new stage has `none`.
   */
  readonly formerSecret: 'none' | 'read' | 'moved';
  /** The payment provider. Stripe needs its key in the secret that the stack creates. */
  readonly payments: 'sandbox' | 'stripe';
  /** The publishable key of the platform's Stripe account (`pk_live_…`), with which a page loads Stripe's component. */
  readonly stripePublishableKey: string | undefined;
  /**
   * The CDN in front of the API, whose header has the address of the client; undefined for none. Limits of storefront tokens
   * count per client address, and behind a CDN all connections come from the addresses of the CDN (docs/operating.md).
   */
  readonly cdn: TrustedCdn | undefined;
  /**
   * Whom alarms wake: mail addresses, and https addresses of an on-call service. SNS asks each to confirm the subscription.
   * Everyone who reads the repository or the stack sees them, so an https address must not be a secret that gives more than this.
   */
  readonly alarmReceivers: readonly string[];
  /** Who receives the alarms that can wait until the morning; those of `alarmReceivers` if it is empty. */
  readonly ticketReceivers: readonly string[];
  /**
   * What the canary holds: a ticket of an organisation of its own, which `npm run admin -- canary create` makes. It needs a domain.
   * Undefined for a canary that only calls the health check. The token is not a secret: web pages show such tokens.
   */
  readonly canary: { readonly storefrontToken: string; readonly priceId: number } | undefined;
  /** What the whole account may cost in a month, in US dollars; undefined for no budget. */
  readonly monthlyBudgetUsd: number | undefined;
  /** The custom domain; undefined for the default address of API Gateway. */
  readonly domain: DomainConfig | undefined;
  /**
   * The public keys that verify API keys and gate tokens, oldest first. `npm run admin -- signing-key` writes them to
   * lib/signing-keys.json. They are part of the template, so a release contains the keys that it accepts.
   */
  readonly signingKeys: readonly string[];
  /**
   * Whether the stage has the protection of production: a firewall, reserved concurrency for functions that a flood of requests
   * would harm, and canary releases for critical functions.
   */
  readonly guarded: boolean;
  /**
   * The Lambda concurrency of the account, which AWS raises on request (Service Quotas). Reservations follow from it
   * (lib/concurrency-plan.ts). The rehearsal fails if the functions of the stage need more.
   */
  readonly lambdaConcurrency: number;
  /** What `storefront sale` has raised on the deployed stage, by function. `npm run deploy` reads it, so a deployment keeps it. */
  readonly raisedConcurrency: Concurrencies;
  /**
   * The throughput that the table and each index serve at once, without growing into it; undefined for what AWS gives every new
   * table. It can only be raised. `npm run admin -- table warm` raises it before a large sale.
   */
  readonly warmThroughput: { readonly readUnitsPerSecond: number; readonly writeUnitsPerSecond: number } | undefined;
}

const configs: Readonly<Record<StageName, Omit<StageConfig, 'signingKeys' | 'restoredTable' | 'raisedConcurrency'>>> = {
  dev: {
    stage: 'dev',
    keepData: false,
    region: undefined,
    backupCopyRegion: undefined,
    logRetention: RetentionDays.ONE_WEEK,
    requestsPerSecond: 200,
    requestBurst: 400,
    formerSecret: 'none',
    payments: 'sandbox',
    stripePublishableKey: undefined,
    cdn: undefined,
    alarmReceivers: [],
    ticketReceivers: [],
    canary: undefined,
    monthlyBudgetUsd: undefined,
    domain: undefined,
    guarded: false,
    lambdaConcurrency: 1_000,
    warmThroughput: undefined,
  },
  prod: {
    stage: 'prod',
    keepData: true,
    // Sydney, with copies in Melbourne, so the data stays in Australia.
    region: 'ap-southeast-2',
    backupCopyRegion: 'ap-southeast-4',
    logRetention: RetentionDays.THREE_MONTHS,
    requestsPerSecond: 5_000,
    requestBurst: 5_000,
    formerSecret: 'none',
    payments: 'stripe',
    stripePublishableKey: undefined,
    cdn: undefined,
    alarmReceivers: [],
    ticketReceivers: [],
    canary: undefined,
    monthlyBudgetUsd: 2_000,
    domain: undefined,
    guarded: true,
    // The default quota of AWS, enough for sales of 12,500 buyers: docs/operating.md, "Before the first deployment of prod".
    lambdaConcurrency: 1_000,
    warmThroughput: { readUnitsPerSecond: 12_000, writeUnitsPerSecond: 4_000 },
  },
};

/** Data of a stage that keeps it outlives its stack, except a resource of a deployment that failed, which is empty. */
export function removalPolicyOf({ keepData }: StageConfig): RemovalPolicy {
  return keepData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}

/**
 * The address of the stage, for its functions; `none` without a domain. Only a domain is known to them: the address of API Gateway
 * depends on the functions that it invokes.
 */
export function publicAddress({ domain }: StageConfig): string {
  return domain === undefined ? 'none' : `https://${domain.name}`;
}

export function stageConfig(name: string, raisedConcurrency: Concurrencies = {}): StageConfig {
  const known = stageNames.find((stage) => stage === name);
  if (known === undefined) throw new Error(`Unknown stage ${name}. Stages: ${stageNames.join(', ')}.`);
  const signingKeys = signingKeysOf(known);
  return { ...configs[known], signingKeys, restoredTable: restoredTables()[known], raisedConcurrency };
}

function signingKeysOf(stage: StageName): readonly string[] {
  const file = readFileSync(new URL('signing-keys.json', import.meta.url), 'utf8');
  return v.parse(v.record(v.string(), v.array(v.string())), JSON.parse(file))[stage] ?? [];
}
