import type { AccessRequest } from './evaluate.ts';

/** Determines the actions and resources that a request to a service needs. */
export type AccessRequestReader = (operation: string, input: Record<string, unknown>) => AccessRequest[];

export function accessRequest(action: string, resource: string, context: AccessRequest['context'] = {}): AccessRequest {
  return { action, resource, context };
}

/** A member of a request, if it is an object. The service itself rejects malformed requests. */
export function member(value: unknown, name: string): Record<string, unknown> {
  return asRecord(asRecord(value)[name]);
}

export function textMember(value: unknown, name: string): string {
  const found = asRecord(value)[name];
  return typeof found === 'string' ? found : '';
}

export function listMember(value: unknown, name: string): unknown[] {
  const found = asRecord(value)[name];
  return Array.isArray(found) ? found : [];
}

export function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
