import type { Operation } from '../../shared/operations/operation.ts';
import { customerIdOf, eventIdOf, memberIdOf } from './world.ts';

/** What cannot be made up from a schema: ids of things that exist in an organisation, and the least query and body that are accepted. */
interface Example {
  readonly params?: (orgId: string) => Record<string, string>;
  readonly query?: Record<string, string>;
  readonly body?: Record<string, string>;
}

const ofEvent: Example = { params: (orgId) => ({ event_id: String(eventIdOf(orgId)) }) };

const examples: Readonly<Record<string, Example>> = {
  'list-event-prices': ofEvent,
  'list-members': { query: { limit: '5' } },
  'retrieve-customer': { params: (orgId) => ({ customer_id: customerIdOf(orgId) }) },
  'retrieve-event': ofEvent,
  'retrieve-member': { params: (orgId) => ({ membership_member_id: String(memberIdOf(orgId)) }) },
  probe: { params: (orgId) => ({ probe_id: `probe-of-${orgId}` }), body: { name: 'Ada' } },
};

export function paramsOf(operation: Operation, orgId: string): Record<string, string> {
  const params = examples[operation.id]?.params?.(orgId) ?? {};
  const missing = Object.keys(operation.params.entries).filter((name) => !(name in params));
  if (missing.length > 0) throw new Error(`Give ${operation.id} an example of ${missing.join(', ')} in examples.ts.`);
  return params;
}

export function queryOf(operation: Operation): Record<string, string> {
  return examples[operation.id]?.query ?? {};
}

export function bodyOf(operation: Operation): Record<string, string> {
  return examples[operation.id]?.body ?? {};
}

export function pathOf(template: string, params: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(params[name] ?? ''));
}
