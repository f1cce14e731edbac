import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type StageConfig, type StageName, stageConfig } from '../../lib/stage-config.ts';
import { synthesize } from '../../lib/synthesize.ts';
import { typedKeys } from '../../shared/domain/typed-keys.ts';
import { testCdn } from './cdn.ts';
import { probe } from './probe-operation.ts';
import { testedOperations } from './tested-operations.ts';

const folder = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** A stage as it is in a checkout whose table was never restored. */
const stage = (name: StageName) => ({ ...stageConfig(name), restoredTable: undefined });

/** What the project cannot know: its own configuration has none of these. */
export const ownSettings = {
  alarmReceivers: ['ops@tickets.example', 'https://events.pager.example/integration/1'],
  stripePublishableKey: 'pk_live_1',
  canary: { storefrontToken: 'gl_pub_canary_1', priceId: 1 },
  domain: {
    name: 'api.tickets.example',
    certificateArns: ['ap-southeast-2', 'ap-southeast-4'].map(
      (region) => `arn:aws:acm:${region}:123456789012:certificate/6d1b2c3e-0000-4000-8000-000000000000`,
    ),
    hostedZoneId: 'Z0123456789ABCDEFGHIJ',
    zoneName: 'tickets.example',
  },
} satisfies Partial<StageConfig>;

/** The stacks under test: each stage as a platform team configures it, one that also has the probe operation, and a small one with Stripe behind a CDN. */
const assemblies = {
  dev: { config: stage('dev') },
  prod: { config: { ...stage('prod'), ...ownSettings } },
  probe: {
    config: stage('dev'),
    operations: [...testedOperations, probe],
    handlerRoots: [folder('../../functions'), folder('functions')],
  },
  stripe: {
    config: { ...stage('dev'), payments: 'stripe' as const, stripePublishableKey: 'pk_test_1', cdn: testCdn },
    operations: testedOperations.filter(({ resource }) => ['baskets', 'organisation', 'webhooks'].includes(resource)),
  },
};

export type AssemblyName = keyof typeof assemblies;
export interface Assembly {
  readonly assemblyDir: string;
}

export const assemblyNames = typedKeys(assemblies);

/** Synthesizes these stacks, each into its own folder. */
export function synthesizeAll(root: string, names: readonly AssemblyName[]): Record<string, Assembly> {
  return Object.fromEntries(names.map((name) => [name, synthesize(join(root, name), assemblies[name])]));
}
