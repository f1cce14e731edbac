import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ticketSections } from '../../lib/alarm-urgency.ts';
import { referencesIn } from '../../tools/rehearsal/rehearsed-stack.ts';
import { readStack } from '../support/template.ts';

const prod = readStack('prod');
const notifying = [...prod.ofType('AWS::CloudWatch::Alarm'), ...prod.ofType('AWS::CloudWatch::CompositeAlarm')].filter(
  ({ Properties }) => Properties.AlarmActions !== undefined,
);

const topicOf = ({ Properties }: (typeof notifying)[number]): string =>
  /(Alarm|Ticket)Topic/.exec(referencesIn(Properties.AlarmActions)[0] ?? '')?.[0] ?? '';

/** The topic of the alarm with this name in the code. CloudFormation's ids have no dashes, and a hash at the end. */
function topicNamed(name: string): string | undefined {
  const pattern = new RegExp(`Alarms${name.replaceAll('-', '')}[0-9A-F]{8}$`);
  const found = notifying.find(({ logicalId }) => pattern.test(logicalId));
  return found && topicOf(found);
}

describe('the two topics of alarms', () => {
  it.each(['api-errors', 'payments-refused', 'check-out-basket-fast-burn', 'sweep-baskets-stopped'])(
    'an alarm about buyers, gates or money that is lost pages: %s',
    (name) => {
      expect(topicNamed(name)).toBe('AlarmTopic');
    },
  );

  it.each(['operation-failed', 'copy-failed', 'backup-missing', 'charges-refused'])(
    'an alarm that can wait until the morning wakes nobody: %s',
    (name) => {
      expect(topicNamed(name)).toBe('TicketTopic');
    },
  );

  it('an alarm ends in the topic in which it began', () => {
    for (const { Properties } of notifying) expect(Properties.OKActions).toEqual(Properties.AlarmActions);
  });

  it('the runbook names the sections that wait', () => {
    const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');
    const [, listed = ''] = /^These wait until the morning:(.*?)\n\n/ms.exec(runbook) ?? [];
    const sections = [...listed.matchAll(/\(#([a-z-]+)\)/g)].map(([, section]) => section);
    expect(sections.toSorted()).toEqual([...ticketSections].toSorted());
  });
});
