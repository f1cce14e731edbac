import { readFileSync } from 'node:fs';
import { passEventTypes } from '../../shared/domain/wallets/pass-changes.ts';
import { webhookEventTypes } from '../../shared/domain/webhooks/event-types.ts';
import { eventTypesOf, familyQueueNames } from '../../shared/workers/queues.ts';
import type { RuleSample } from './check-messaging.ts';

const sampleFile = 'events/event-bridge-event.json';

/** The sample event on the bus: once for every type, once with an unknown type, and once from another source. */
export function ruleSamples(): RuleSample[] {
  const sample: Record<string, unknown> = JSON.parse(
    readFileSync(new URL(`../../${sampleFile}`, import.meta.url), 'utf8'),
  );
  const queueOf = (type: string): string =>
    familyQueueNames.find((name) => eventTypesOf(name).includes(type)) ?? 'unrouted';
  const passTypes: readonly string[] = passEventTypes;
  const known = webhookEventTypes.map((type) => ({
    file: `${sampleFile} as ${type}`,
    event: { ...sample, 'detail-type': type },
    expected: [`Events${queueOf(type)}`, ...(passTypes.includes(type) ? ['Eventspasses'] : [])],
  }));
  return [
    ...known,
    {
      file: `${sampleFile} as a stray`,
      event: { ...sample, 'detail-type': 'order.lost' },
      expected: ['Eventsunrouted'],
    },
    { file: `${sampleFile} of AWS`, event: { ...sample, source: 'aws.health' }, expected: [] },
  ];
}
