/** Whether an alarm wakes somebody, or waits until the morning. */
export type Urgency = 'page' | 'ticket';

/**
 * The sections of the runbook whose alarms can wait: nobody is kept from buying or entering, and nothing is lost until then. All
 * others page, a new one too.
 */
export const ticketSections: readonly string[] = [
  'transactions-conflict',
  'a-backup-is-missing',
  'stripes-events-are-refused',
  'the-budget-is-exceeded',
  'the-stream-gave-up',
  'messages-in-a-dead-letter-queue',
  'an-endpoint-was-disabled',
  'a-refund-was-refused',
  'charges-are-refused',
  'a-release-was-rolled-back',
  'apples-certificate-ends',
  'audit-findings',
  'the-audit-does-not-end',
  'a-client-floods',
  'a-document-does-not-appear',
];

export function urgencyOf(section: string): Urgency {
  return ticketSections.includes(section) ? 'ticket' : 'page';
}
